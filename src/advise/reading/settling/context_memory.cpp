#include "advise/reading/settling/context_memory.h"

#include "advise/reading/numbers/fields.h"

#include <algorithm>

// "what does 1M tokens of ctx cost in GB", "extra vram beyond the weights", "kv for 128k".

namespace ridgeline::reading {

bool is_memory_word(std::string_view word) {
    return is_any(word, "memory mem vram ram size footprint usage gb gib gigs gigabytes bytes");
}

namespace {

/// One past "128k tokens of context", "16k ctx", "context of 32768 tokens" or "the context" that
/// begins at token i; 0: none does.
std::size_t context_end(const Sentence& sentence, std::size_t i) {
    const auto noun = [&](std::size_t k) {
        return is_any(sentence.word(k), "context ctx contexts cache kv history");
    };
    const auto count = measure_at(sentence, i);
    if (count && !count->unit.empty()) {
        return 0;
    }
    std::size_t end = i + (count ? count->length : 0);
    end += count && is_any(sentence.word(end), "tokens token tok toks") ? 1 : 0;
    end += count && sentence.word(end) == "of" ? 1 : 0;
    if (!noun(end)) {
        return 0;
    }
    end += is_any(sentence.word(end + 1), "window length cache") ? 2 : 1;
    const auto behind =
        is_any(sentence.word(end), "of at for") ? measure_at(sentence, end + 1) : std::nullopt;
    if (!count && behind && behind->unit.empty()) {
        end += 1 + behind->length;
        end += is_any(sentence.word(end), "tokens token tok toks") ? 1 : 0;
    }
    return end;
}

/// Whether memory is asked of the context at [at, end) alone: "what does 1M tokens of ctx cost in
/// GB", "vram of 64k ctx", "context by itself".
bool is_context_alone(const Sentence& sentence, std::size_t at, std::size_t end) {
    if (is_any(sentence.word(end),
               "alone itself only cost costs take takes need needs use uses add adds occupy "
               "occupies eat eats weigh consume consumes "
               "require requires") ||
        sentence.any_word("itself")) {
        return true;
    }
    std::size_t from = at;
    while (from > 0 &&
           is_any(sentence.word(from - 1), "the a an each every another extra additional more")) {
        --from;
    }
    const std::string_view before = from > 0 ? sentence.word(from - 1) : std::string_view();
    const std::string_view governs = from > 1 ? sentence.word(from - 2) : std::string_view();
    const bool counted = end > at + 2 && sentence.word(end - 2) == "of";  // "tokens of context"
    const bool more =
        before == "for" && is_memory_word(governs) && sentence.any_word("more extra additional");
    return more || (before == "of" && (is_memory_word(governs) || is_any(governs, "cost price"))) ||
           (before == "for" && counted && is_memory_word(governs)) ||
           (before == "is" && is_any(governs, "large big much heavy")) ||
           (before == "to" && is_any(governs, "going go extending raising"));
}

/// "kv cache per 1k tokens": that of so many, which no price is of.
void take_tokens_of_cache(Sentence& sentence) {
    if (!sentence.any_word("kv cache") || sentence.reading.sequence) {
        return;
    }
    for (std::size_t i = 0; i + 2 < sentence.tokens.size(); ++i) {
        const auto count = sentence.word(i) == "per" ? measure_at(sentence, i + 1) : std::nullopt;
        const std::size_t noun = i + 1 + (count ? count->length : 0);
        if (count && count->unit.empty() && count->value >= 1 &&
            is_any(sentence.word(noun), "token tokens tok")) {
            std::erase_if(sentence.marks,
                          [](const Mark& mark) { return mark.value == "per_million"; });
            take(sentence, i + 1, *count, Field::sequence);
            sentence.claim(i, noun + 1 - i);
            return;
        }
    }
}

}  // namespace

/// A question of the memory of a context asks for its cache.
void match_context(Sentence& sentence) {
    take_tokens_of_cache(sentence);
    const bool memory = sentence.asks("memory strong_memory size_of ram kv_cache") ||
                        sentence.any_word("gb gib gigs gigabytes") ||
                        (sentence.any_word("how") && sentence.any_word("add adds eat eats"));
    const bool cache = sentence.any_word("cache kv") && sentence.mentions.empty() &&
                       sentence.any_word("what how much");
    for (std::size_t i = 0; (memory || cache) && i < sentence.tokens.size(); ++i) {
        const std::size_t end = context_end(sentence, i);
        if (end == 0 || !is_context_alone(sentence, i, end)) {
            i = std::max(i, end == 0 ? 0 : end - 1);
            continue;
        }
        for (const std::string_view asked : {"kv_cache", "strong_memory"}) {
            sentence.marks.push_back({Means::ask, asked, i, end - i});
        }
        sentence.marks.push_back({Means::infer, "", i, end - i});
        sentence.claim(
            i, end - i + (is_any(sentence.word(end), "add adds eat eats occupy occupies") ? 1 : 0));
        return;
    }
}

/// "on top of the weights", "extra vram beyond the weights": of a server what its requests take.
void match_beyond_weights(Sentence& sentence, std::size_t at) {
    std::size_t from = at;
    while (from > 0 && sentence.follows(from) && is_any(sentence.word(from - 1), "the its model")) {
        --from;
    }
    const std::string_view before = from > 0 ? sentence.word(from - 1) : std::string_view();
    const std::string_view governs = from > 1 ? sentence.word(from - 2) : std::string_view();
    const std::size_t words = (before == "of" && governs == "top") ? 3
                              : (before == "to" && governs == "addition") ||
                                      (before == "from" && is_any(governs, "apart aside")) ||
                                      (before == "than" && governs == "other")
                                  ? 2
                              : is_any(before, "beyond besides beside excluding without above excl")
                                  ? 1
                                  : 0;
    if (sentence.word(at) != "weights" || words == 0 || from < words ||
        sentence.has(Means::train) || sentence.has(Means::tune)) {
        return;
    }
    const std::size_t begin = from - words;
    for (const std::string_view asked : {"kv_cache", "strong_memory"}) {
        sentence.marks.push_back({Means::ask, asked, begin, at + 1 - begin});
    }
    sentence.marks.push_back({Means::infer, "", begin, at + 1 - begin});
    sentence.claim(begin, at + 1 - begin);
}

/// "kv for 128k tokens of llama": the cache, where no type stands beside the word ("fp16 kv").
void match_bare_cache(Sentence& sentence, std::size_t at) {
    const bool cache =
        sentence.word(at) == "kv" &&
        !is_any(sentence.word(at + 1), "heads head offload quant quantization type dtype") &&
        std::ranges::none_of(sentence.marks, [&](const Mark& mark) {
            const bool type = mark.means == Means::quantization || mark.means == Means::compute ||
                              mark.value == "kv_cache" || mark.value == "kv_heads";
            return type && mark.at <= at + 1 && at <= mark.at + mark.length;
        });
    if (cache && sentence.mentions.empty() && sentence.reading.kv_cache.empty()) {
        sentence.marks.push_back({Means::ask, "kv_cache", at, 1});
        sentence.marks.push_back({Means::infer, "", at, 1});
        sentence.claim(at);
    }
}

}  // namespace ridgeline::reading
