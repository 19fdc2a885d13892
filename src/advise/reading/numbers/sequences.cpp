#include "advise/reading/numbers/sequences.h"

#include <cmath>
#include <string_view>

// What a number of sequences is: those of a batch, the length of one, or all that there are.

namespace ridgeline::reading {
namespace {

/// "sequences of length 512", "sequences of up to 2k tokens": how long each is stands behind.
bool tells_length_behind(const Sentence& sentence, std::size_t end) {
    constexpr std::size_t farthest = 6;
    for (std::size_t i = end; i < end + farthest && sentence.follows(i); ++i) {
        const bool said = i > end || sentence.word(i) == "of" || sentence.word(i) == "x";
        if (said && amount_in(sentence.word(i))) {
            return true;
        }
        if (!is_any(sentence.word(i), "of x up to length len at most about around ~ max")) {
            return false;
        }
    }
    return false;
}

/// "8k sequences, 1024 tokens each": their length is told in tokens elsewhere.
bool tells_length_in_tokens(const Sentence& sentence, std::size_t at) {
    for (std::size_t i = 0; i + 1 < sentence.tokens.size(); ++i) {
        if (i != at && amount_in(sentence.word(i)) && sentence.follows(i + 1) &&
            is_any(sentence.word(i + 1), "tokens token toks")) {
            return true;
        }
    }
    return false;
}

}  // namespace

Field field_of_sequences(const Sentence& sentence, std::size_t at, const Measure& measure,
                         std::size_t end) {
    constexpr double most_at_once = 256;
    constexpr double longest = 2e5;
    if (!measure.kilo && measure.value <= most_at_once) {
        return Field::batch;
    }
    // Lengths are powers of two: "on 32k sequences"; "on 50k sequences" has so many.
    const double thousands = measure.value / (measure.kilo ? 1000 : 1024);
    const bool power = std::exp2(std::round(std::log2(thousands))) == thousands;
    const bool life = sentence.reading.model.starts_with("esm");
    const std::string_view before = at > 0 ? sentence.word(at - 1) : std::string_view();
    const bool many = measure.value > longest || life || tells_length_behind(sentence, end) ||
                      tells_length_in_tokens(sentence, at) ||
                      (!power && is_any(before, "on over all from"));
    return many ? Field::samples : Field::sequence;
}

}  // namespace ridgeline::reading
