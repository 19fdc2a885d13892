#include "advise/reading/words/sentence.h"

#include <algorithm>

namespace ridgeline::reading {

bool is_any(std::string_view word, std::string_view words) {
    if (word.empty()) {
        return false;
    }
    for (std::size_t at = words.find(word); at != words.npos; at = words.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || words[at - 1] == ' ') && (end == words.size() || words[end] == ' ')) {
            return true;
        }
    }
    return false;
}

void add_once(std::vector<std::string>& list, std::string_view value) {
    if (std::ranges::find(list, value) == list.end()) {
        list.emplace_back(value);
    }
}

bool counts_things(std::string_view word) {
    return is_any(word, "x gpu gpus card cards gb users nodes epochs days hours");
}

std::size_t Sentence::tokens_of(std::string_view words, std::size_t at, bool plurals) const {
    std::size_t length = 0;
    while (!words.empty()) {
        const std::string_view wanted = words.substr(0, words.find(' '));
        const std::string_view own = word(at + length);
        const bool plural = plurals && own.size() == wanted.size() + 1 && own.starts_with(wanted) &&
                            own.ends_with('s');
        if (!open(at + length) || (own != wanted && !plural) ||
            (length > 0 && !follows(at + length))) {
            return 0;
        }
        words.remove_prefix(std::min(words.size(), wanted.size() + 1));
        ++length;
    }
    return length;
}

std::optional<Architecture> Sentence::named_architecture() const {
    const auto& known = vocabulary.profiles.model_ids;
    const std::string& model = reading.estimated_model();
    // Figures of one's own stand behind the name.
    const bool found = vocabulary.architecture &&
                       std::ranges::binary_search(known, model.substr(0, model.find(':')));
    return found ? vocabulary.architecture(model) : std::nullopt;
}

void Sentence::claim(std::size_t at, std::size_t length) {
    for (std::size_t i = at; i < std::min(at + length, tokens.size()); ++i) {
        tokens[i].claimed = true;
    }
}

bool Sentence::has(Means means, std::string_view value) const {
    return std::ranges::any_of(
        marks, [&](const Mark& mark) { return mark.means == means && mark.value == value; });
}

bool Sentence::has(Means means) const {
    return std::ranges::any_of(marks, [&](const Mark& mark) { return mark.means == means; });
}

bool Sentence::asks(Signals signals) const {
    return std::ranges::any_of(marks, [&](const Mark& mark) {
        return mark.means == Means::ask && is_any(mark.value, signals.text());
    });
}

bool Sentence::any_word(std::string_view words) const {
    return std::ranges::any_of(tokens,
                               [&](const Token& token) { return is_any(token.text, words); });
}

void Sentence::fail(std::string message, std::string hint) {
    if (!error) {
        error = Error{ErrorKind::input, "question", std::move(message), std::move(hint)};
    }
}

void Sentence::assume(std::string field, std::string value, std::string why) {
    ridgeline::assume(reading, std::move(field), std::move(value), std::move(why));
}

bool Sentence::beside_cache(std::size_t at, std::size_t length) const {
    const auto cache = [&](std::size_t i) {
        return i < tokens.size() &&
               (is_any(word(i), "kv kvcache") ||
                (word(i) == "cache" && !(i + 1 < tokens.size() && word(i + 1) == "size")));
    };
    const std::size_t link = at > 1 && is_any(word(at - 1), "in at is as to") ? 1 : 0;
    const bool before = at > link && tokens[at].gap != Gap::stop && cache(at - 1 - link);
    // "fp8 kv fp8": the type behind it is the cache's.
    std::size_t next = at + length + 1;
    next += next < tokens.size() && word(next) == "cache" ? 1 : 0;
    const bool typed =
        next < tokens.size() && tokens[next].gap != Gap::stop &&
        is_any(word(next), "fp8 fp16 bf16 fp4 nvfp4 int8 int4 q8_0 q4_0 8bit 4bit 16bit e4m3 e5m2");
    return before || (!typed && tokens.size() > at + length &&
                      tokens[at + length].gap != Gap::stop && cache(at + length));
}

std::size_t past_words(const Sentence& sentence, std::size_t at, std::string_view words) {
    while (is_any(sentence.word(at), words)) {
        ++at;
    }
    return at;
}

std::size_t first_of_words(const Sentence& sentence, std::size_t at, std::string_view words) {
    while (at > 0 && is_any(sentence.word(at - 1), words)) {
        --at;
    }
    return at;
}

bool parted_by_colon(const Sentence& sentence, std::size_t at) {
    const std::size_t from = at > 0 ? sentence.tokens[at - 1].end : 0;
    return std::string_view(sentence.text)
               .substr(from, std::max(from, sentence.tokens[at].begin) - from)
               .find(':') != std::string_view::npos;
}

std::optional<Measure> measure_at(const Sentence& sentence, std::size_t at) {
    if (at >= sentence.tokens.size()) {
        return std::nullopt;
    }
    // "which one", "the other one": a word for what was named.
    const bool stands_for = sentence.word(at) == "one" && at > 0 && sentence.follows(at) &&
                            is_any(sentence.word(at - 1), "which that this the other another each");
    auto amount = stands_for ? std::nullopt : amount_in(sentence.word(at));
    Measure measure;
    if (!amount && is_any(sentence.word(at), "hundred thousand million billion trillion")) {
        measure.value = scale_of_word(sentence.word(at));
        measure.scaled = true;
        return measure;
    }
    if (!amount) {
        return std::nullopt;
    }
    measure.value = amount->value;
    measure.negative = sentence.tokens[at].negative;
    measure.unit = amount->unit;
    const double glued = scale_of_word(measure.unit);
    if (glued > 0) {
        measure.kilo = measure.unit == "k";
        measure.value *= glued;
        measure.unit.clear();
        measure.scaled = true;
    }
    // "two hundred thousand": one scale after another.
    for (std::size_t next = at + 1; measure.unit.empty() && sentence.follows(next); ++next) {
        const double scale = scale_of_word(sentence.word(next));
        const bool letter = sentence.word(next).size() == 1;
        // "1 b" may be a model, "2 k" a thousand; "5 m" is a month more often than a million.
        if (scale == 0 || (letter && !is_any(sentence.word(next), "k b t"))) {
            break;
        }
        // "batch 1 t/s", "8 k/s": what a second has.
        if (letter && sentence.follows(next + 1) && sentence.tokens[next + 1].gap == Gap::slash) {
            break;
        }
        measure.kilo = sentence.word(next) == "k";
        measure.value *= scale;
        measure.scaled = true;
        ++measure.length;
    }
    return measure;
}

}  // namespace ridgeline::reading
