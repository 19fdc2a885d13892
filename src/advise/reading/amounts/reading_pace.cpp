#include "advise/reading/amounts/steps.h"
#include "advise/reading/words/sentence.h"

#include <algorithm>
#include <string>

// How fast somebody reads, as the pace that text is written at: "faster than i read", "at reading
// speed".

namespace ridgeline::reading {
namespace {

/// Tokens a second of somebody who reads on: 240 words a minute, of three quarters of a word each.
constexpr double read_tokens_per_s = 5;

/// Tokens from `at` on that compare a pace with that of reading; 0: none do.
std::size_t reading_pace_at(const Sentence& sentence, std::size_t at) {
    const bool than =
        is_any(sentence.word(at), "faster quicker") && sentence.word(at + 1) == "than";
    const bool as = sentence.word(at) == "as" &&
                    is_any(sentence.word(at + 1), "fast quick quickly") &&
                    sentence.word(at + 2) == "as";
    if (than || as) {
        std::size_t end = at + (than ? 2 : 3);
        end += is_any(sentence.word(end), "my your a an human") ? 1 : 0;
        if (is_any(sentence.word(end), "reading read")) {
            end += is_any(sentence.word(end + 1), "speed pace") ? 1 : 0;
            return end + 1 - at;
        }
        end += is_any(sentence.word(end),
                      "i we you one people person human humans anyone someone somebody me")
                   ? 1
                   : 0;
        end += is_any(sentence.word(end), "can could") ? 1 : 0;
        return is_any(sentence.word(end), "read reads") ? end + 1 - at : 0;
    }
    // "schneller als ich lese", "plus vite que je ne lis"
    for (const std::string_view words :
         {"schneller als ich lese", "schneller als ich lesen kann", "so schnell wie ich lese",
          "plus vite que je lis", "mas rapido de lo que leo", "lesegeschwindigkeit"}) {
        if (const std::size_t length = sentence.tokens_of(words, at); length > 0) {
            return length;
        }
    }
    const bool speed = is_any(sentence.word(at), "reading read") && sentence.follows(at + 1) &&
                       is_any(sentence.word(at + 1), "speed pace speeds");
    return speed && at > 0 &&
                   is_any(sentence.word(at - 1), "at my human normal than a comfortable with")
               ? 2
               : 0;
}

}  // namespace

void recognise_reading_pace(Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const std::size_t length = reading_pace_at(sentence, i);
        if (length > 0 && !sentence.reading.tpot_s) {
            sentence.reading.tpot_s = 1 / read_tokens_per_s;
            sentence.assume("tpot_s", "0.2",
                            "as fast as one reads: 5 tokens a second (240 words a minute)");
            sentence.claim(i, length);
            return;
        }
    }
}

}  // namespace ridgeline::reading
