#include "advise/reading/settling/steps.h"
#include "advise/reading/words/sentence.h"

#include <algorithm>
#include <string_view>

// The memory of a code of scientific computing: "60 GB working set" is what a card must hold, no
// card that is there.

namespace ridgeline::reading {
namespace {

/// Tokens from `at` on that name what such a code holds; 0: they are others.
std::size_t held_things(const Sentence& sentence, std::size_t at) {
    for (const std::string_view words : {"working set",
                                         "working sets",
                                         "workingset",
                                         "of arrays",
                                         "arrays",
                                         "state vector",
                                         "state vectors",
                                         "wavefunction",
                                         "wavefunctions",
                                         "of wavefunctions",
                                         "of state",
                                         "grid",
                                         "grids",
                                         "mesh",
                                         "of fields",
                                         "fields",
                                         "problem",
                                         "problems",
                                         "problem size",
                                         "footprint",
                                         "memory footprint",
                                         "dataset in memory"}) {
        std::size_t length = 0;
        std::string_view rest = words;
        while (!rest.empty() && sentence.follows(at + length) &&
               sentence.word(at + length) == rest.substr(0, rest.find(' '))) {
            rest.remove_prefix(std::min(
                rest.size(), rest.find(' ') == rest.npos ? rest.size() : rest.find(' ') + 1));
            ++length;
        }
        if (rest.empty()) {
            return length;
        }
    }
    return 0;
}

bool computes_in_doubles(const Sentence& sentence) {
    const Profiles& profiles = sentence.vocabulary.profiles;
    return std::any_of(sentence.marks.begin(), sentence.marks.end(), [&](const Mark& mark) {
        return mark.means == Means::profile && profiles.in_doubles(mark.value);
    });
}

}  // namespace

void settle_working_set(Sentence& sentence) {
    Reading& reading = sentence.reading;
    if (!reading.memory_gib || !reading.model.empty() || !computes_in_doubles(sentence)) {
        return;
    }
    for (std::size_t i = 1; i < sentence.tokens.size(); ++i) {
        const bool size = is_any(sentence.word(i - 1), "gb gib") ||
                          std::string_view(sentence.word(i - 1)).ends_with("gb");
        const std::size_t length = size ? held_things(sentence, i) : 0;
        if (length > 0) {
            sentence.claim(i, length);
            sentence.works_in_memory = sentence.mentions.empty();
            reading.memory_at_least = true;
            return;
        }
    }
}

}  // namespace ridgeline::reading
