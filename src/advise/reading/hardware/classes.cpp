#include "advise/reading/hardware/steps.h"
#include "advise/reading/words/sentence.h"

#include <fmt/format.h>

// "An A6000-class card or better", "something like a 4090": a part that stands for its memory and
// its bandwidth.

namespace ridgeline::reading {
namespace {

/// "class" or "or better" behind it, or "something like" before it: the tokens from and to; none:
/// the part itself is meant.
bool claim_class(Sentence& sentence, const Mention& mention) {
    bool found = false;
    std::size_t end = mention.end;
    if (is_any(sentence.word(end), "class grade level caliber calibre")) {
        sentence.claim(end);
        found = true;
        ++end;
        end += is_any(sentence.word(end), "gpu gpus card cards hardware") ? 1 : 0;
    }
    if (sentence.word(end) == "or" &&
        is_any(sentence.word(end + 1), "better above faster similar equivalent comparable")) {
        sentence.claim(end, 2);
        found = true;
    }
    const std::size_t first = mention.at;
    const std::size_t like = first > 1 && is_any(sentence.word(first - 1), "a an") ? first - 2
                             : first > 0                                           ? first - 1
                                                                                   : 0;
    if (first > 1 && sentence.word(like) == "like" && like > 0 &&
        is_any(sentence.word(like - 1), "something anything card gpu")) {
        sentence.claim(like - 1, 2);
        found = true;
    }
    return found;
}

/// "how many", perhaps with a word between, before token `at`.
bool is_counted_out(const Sentence& sentence, std::size_t at) {
    for (std::size_t i = at; i > 1 && at - i < 2; --i) {
        if (sentence.word(i - 1) == "many" && sentence.word(i - 2) == "how") {
            return true;
        }
    }
    return false;
}

}  // namespace

void recognise_equals(Sentence& sentence) {
    const auto& mentions = sentence.mentions;
    if (mentions.size() != 2 || mentions.front().name == mentions.back().name ||
        !is_counted_out(sentence, mentions.front().at)) {
        return;
    }
    bool found = false;
    for (std::size_t i = mentions.front().end; i < sentence.tokens.size(); ++i) {
        if (is_any(sentence.word(i),
                   "match matches equal equals equivalent replace replaces beat "
                   "beats outperform outperforms rival") ||
            (sentence.reading.model.empty() && is_any(sentence.word(i), "worth per make makes")) ||
            (sentence.word(i - 1) == "as" && sentence.follows(i + 1) &&
             sentence.word(i + 1) == "as" &&
             is_any(sentence.word(i), "fast quick powerful good"))) {
            sentence.claim(i);
            found = true;
        }
    }
    if (found) {
        ask_for(sentence.reading, "matches");
    }
}

void recognise_classes(Sentence& sentence) {
    Reading& reading = sentence.reading;
    if (sentence.mentions.size() != 1 || reading.model.empty() || reading.memory_gib ||
        sentence.has(Means::versus) || sentence.any_word("many") ||
        sentence.mentions.front().parts.empty() || !sentence.mentions.front().machine.empty()) {
        return;
    }
    const Mention mention = sentence.mentions.front();
    if (!claim_class(sentence, mention)) {
        return;
    }
    const Accelerator& part = *mention.parts.front();
    constexpr double as_fast = 0.95;  // what its equals differ by
    reading.memory_gib = part.marketed_gb;
    reading.memory_at_least = true;
    reading.replaced_bytes_per_s = as_fast * part.memory_bandwidth.base();
    if (mention.count) {
        sentence.loose_count = mention.count;
    }
    sentence.assume("memory", fmt::format("{:g} GB or more", part.marketed_gb),
                    fmt::format("the class of {}, with memory as fast", mention.name));
    sentence.mentions.clear();
}

}  // namespace ridgeline::reading
