#include "advise/reading/hardware/steps.h"
#include "advise/reading/numbers/count_words.h"
#include "advise/reading/words/names.h"
#include "base/text.h"

#include <algorithm>

// A machine and what is in it are one thing: "p5.48xlarge (8x H100)", "4x A10G (g5.12xlarge)",
// "a DGX with 8 H100".

namespace ridgeline::reading {
namespace {

int number_at(const Sentence& sentence, std::size_t i) {
    const std::string_view word = sentence.word(i);
    constexpr std::size_t most_digits = 4;
    return all_digits(word) && word.size() <= most_digits
               ? static_cast<int>(number_with_suffix(word).value_or(0))
               : number_word(word).value_or(0);
}

/// Whether a machine may hold the part as people name it: "A10" of a machine of A10G.
bool holds(const Mention& machine, const Mention& part) {
    const Accelerator* inside = machine.parts.empty() ? nullptr : machine.parts.front();
    return inside != nullptr && std::ranges::any_of(part.parts, [&](const Accelerator* each) {
               return each == inside || inside->id.starts_with(each->id);
           });
}

/// The number right before a mention, and its token; 0: none is there.
std::pair<int, std::size_t> number_before(const Sentence& sentence, const Mention& mention) {
    std::size_t i = mention.at;
    while (i > 0 && sentence.follows(i) && is_any(sentence.word(i - 1), "x of nvidia amd intel")) {
        --i;
    }
    return i > 0 && sentence.follows(i) ? std::pair(number_at(sentence, i - 1), i - 1)
                                        : std::pair(0, mention.at);
}

/// Whether nothing but words that join a machine to its content stands in [from, to).
bool joins(const Sentence& sentence, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
        if (!sentence.follows(i) ||
            !is_any(sentence.word(i),
                    "with has having holds containing contains ie eg each that is "
                    "are a an the in on inside aka instance node box server")) {
            return false;
        }
    }
    return to < sentence.tokens.size() && sentence.follows(to);
}

/// Whether `second`, which stands behind `first`, names the same hardware once more.
bool is_same(const Sentence& sentence, const Mention& first, const Mention& second) {
    const bool machine_first = first.per_machine.has_value();
    if (machine_first == second.per_machine.has_value()) {
        return false;
    }
    const Mention& machine = machine_first ? first : second;
    const Mention& part = machine_first ? second : first;
    if (part.at <= first.at && part.end >= second.end) {
        return false;
    }
    const auto [inside, at] = number_before(sentence, part);
    const auto [machines, begin] = number_before(sentence, machine);
    const int all = *machine.per_machine * (machine_first && begin < first.at ? machines : 1);
    const bool counted = inside == *machine.per_machine || (inside > 0 && inside == all);
    // Behind a machine its part may stand alone: "p4d.24xlarge (A100 40GB)".
    const bool bare = inside == 0 && machine_first && second.at < sentence.tokens.size() &&
                      sentence.tokens[second.at].gap == Gap::paren;
    const std::size_t next = machine_first ? std::min(at, second.at) : second.at;
    return holds(machine, part) && (counted || bare) && joins(sentence, first.end, next);
}

/// The machine alone, over the tokens of both.
Mention joined(Sentence& sentence, const Mention& first, const Mention& second) {
    const bool machine_first = first.per_machine.has_value();
    Mention one = machine_first ? first : second;
    const std::size_t begin = machine_first ? first.at : number_before(sentence, first).second;
    sentence.claim(begin, second.end - begin);
    one.at = begin;
    one.end = second.end;
    return one;
}

}  // namespace

void join_machine_contents(Sentence& sentence) {
    auto& mentions = sentence.mentions;
    for (std::size_t k = 1; k < mentions.size();) {
        if (mentions[k - 1].end <= mentions[k].at &&
            is_same(sentence, mentions[k - 1], mentions[k])) {
            mentions[k - 1] = joined(sentence, mentions[k - 1], mentions[k]);
            mentions.erase(mentions.begin() + static_cast<std::ptrdiff_t>(k));
        } else {
            ++k;
        }
    }
}

}  // namespace ridgeline::reading
