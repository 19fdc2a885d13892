#include "advise/reading/hardware/steps.h"
#include "advise/reading/numbers/units.h"
#include "advise/reading/words/sentence.h"

#include <fmt/format.h>

#include <algorithm>

// A number of accelerators that somebody else has named and the question doubts: "they say we need
// 8xH100, what is the minimum?" asks for the least, of which that number is none.

namespace ridgeline::reading {
namespace {

/// Whether it stands before the hardware that somebody says, wants or offers so many.
bool is_quoted(const Sentence& sentence, const Mention& mention) {
    for (std::size_t i = 0; i < mention.at; ++i) {
        if (is_any(sentence.word(i),
                   "say says said saying told tell tells insist insists insisted claim claims "
                   "claimed think thinks thought believe believes recommend recommends recommended "
                   "suggest suggests suggested propose proposes proposed quote quotes quoted offer "
                   "offers offered want wants wanted spec specs specced sized planned request "
                   "requests requested asks asked")) {
            return true;
        }
    }
    return false;
}

/// "do i really need 8", "do we actually require 16": a need that is doubted.
bool doubts_need(const Sentence& sentence) {
    constexpr std::size_t farthest = 3;
    constexpr std::size_t farthest_much = 5;
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        // "how much would it really need": memory, no number of cards
        const bool amount =
            near_words(sentence, clause_start(sentence, i, farthest_much), i, "much") &&
            !sentence.any_word("hardware compute");
        if (amount || !is_any(sentence.word(i), "really actually truly genuinely realistically")) {
            continue;
        }
        for (std::size_t k = i + 1; k <= i + farthest; ++k) {
            if (is_any(sentence.word(k), "need needs needed require required necessary")) {
                return true;
            }
        }
    }
    return false;
}

/// Words that ask for the least, or call what was told too much.
bool asks_for_least(const Sentence& sentence) {
    return sentence.any_word(
        "minimum minimal minimally min least smallest fewest fewer overkill excessive exaggerated "
        "oversized overprovisioned overspecced overblown bloated");
}

/// The hardware that was told, where it is of one kind and more than one; null: it is not.
const Mention* counted_kind(const Sentence& sentence) {
    const Mention* found = nullptr;
    for (const Mention& each : sentence.mentions) {
        if (found != nullptr && each.name != found->name) {
            return nullptr;
        }
        found = each.count.value_or(0) > 1 && !each.parts.empty() ? &each : found;
    }
    return found;
}

/// "our 8 a100": those that are there, no proposal.
bool is_own(const Sentence& sentence, const Mention& mention) {
    constexpr std::size_t nearest = 3;  // "our 8 x"
    return std::any_of(sentence.marks.begin(), sentence.marks.end(), [&](const Mark& mark) {
        return mark.means == Means::owned && mark.at < mention.at &&
               mention.at - mark.at <= nearest;
    });
}

}  // namespace

void recognise_quoted_counts(Sentence& sentence) {
    const Reading& reading = sentence.reading;
    const bool open = !reading.model.empty() && !sentence.has(Means::versus) &&
                      !reading.budget_usd && !sentence.asks("own duration");
    const Mention* told = open ? counted_kind(sentence) : nullptr;
    if (told == nullptr || is_own(sentence, *told) ||
        !(doubts_need(sentence) || (is_quoted(sentence, *told) && asks_for_least(sentence)))) {
        return;
    }
    sentence.assume(
        "count", "open",
        fmt::format("{} were told; the least of them is asked for", told->count.value_or(0)));
    const std::size_t at = told->at;
    for (Mention& each : sentence.mentions) {
        each.count.reset();
        each.nodes.reset();
    }
    sentence.loose_count.reset();
    sentence.asks_least = true;
    // "my boss says": what is his is no hardware.
    std::erase_if(sentence.marks, [](const Mark& mark) { return mark.means == Means::owned; });
    if (!sentence.asks("smallest_part")) {
        sentence.marks.push_back({Means::ask, "smallest_part", at, 0});
    }
}

}  // namespace ridgeline::reading
