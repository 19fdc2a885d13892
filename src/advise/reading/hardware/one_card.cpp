#include "advise/reading/hardware/one_card.h"

#include "advise/reading/numbers/count_words.h"

#include <algorithm>

// One card alone, told by what is ruled out.

namespace ridgeline::reading {
namespace {

/// Whether what rules out stands before token i: "no", "dont want to deal with", "kein".
bool is_denied(const Sentence& sentence, std::size_t i) {
    constexpr std::size_t farthest = 7;
    for (std::size_t back = 1; back <= std::min(i, farthest) && sentence.follows(i - back + 1);
         ++back) {
        const std::size_t at = i - back;
        const bool denies = std::ranges::any_of(sentence.marks, [&](const Mark& mark) {
            return mark.means == Means::negation && mark.value != "instead" &&
                   mark.at + mark.length == at + 1;
        });
        if (denies || is_any(sentence.word(at), "dont wont cant cannot de")) {
            return denies || sentence.word(at) != "de" ||
                   (at > 0 && sentence.word(at - 1) == "pas");
        }
        if (!is_any(sentence.word(at),
                    "any a the use using need want with for of to deal have having buy go get run "
                    "bother mess like wanting")) {
            return false;
        }
    }
    return false;
}

}  // namespace

bool denies_several(const Sentence& sentence, std::size_t i) {
    return number_word(sentence.word(i)).value_or(1) > 1 && is_denied(sentence, i);
}

void forbid_several(Sentence& sentence) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        const std::string_view word = sentence.word(i);
        const bool one_word = is_any(word, "multigpu multigpus multicard sli crossfire");
        const bool several =
            is_any(word, "multi multiple dual double twin two triple quad several many 2 2x x2");
        const std::size_t x = several && sentence.word(i + 1) == "x" ? 1 : 0;
        const bool cards =
            several && sentence.follows(i + 1) && is_gpu_word(sentence.word(i + 1 + x));
        if (!(one_word || cards) || !is_denied(sentence, i)) {
            continue;
        }
        sentence.claim(i, cards ? 2 + x : 1);
        if (!sentence.reading.max_count) {
            sentence.reading.max_count = 1;
            sentence.assume("max_count", "1", "several cards are ruled out");
        }
    }
}

}  // namespace ridgeline::reading
