#include "advise/comparisons/side_by_side.h"
#include "advise/figure_words.h"
#include "advise/stacks/lean.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

// Sides of a comparison: what stands in the first sentence beside the best two, how many of each
// are compared, under which stacks.

namespace ridgeline {

const ComparedSide* SideBySide::cheapest_beside(const ComparedSide& second_best) const {
    const ComparedSide* cheapest = &second_best;
    for (const ComparedSide& side : sides_) {
        const bool other = side.side != sides_.front().side && side.usd && side.score > 0;
        if (other && cheapest->usd && *side.usd < *cheapest->usd) {
            cheapest = &side;
        }
    }
    return cheapest;
}

std::string SideBySide::other_sides() const {
    std::string words;
    for (const ComparedSide& side : sides_) {
        const bool told = is_told_first(side);
        if (&side == &sides_.front() || &side == second() || (told && !side.usd)) {
            continue;
        }
        words += words.empty() ? " Beside them " : "; ";
        words +=
            told ? fmt::format("{}: {} a million", words_of(side), format_usd(*side.usd))
            : side.score > 0
                ? fmt::format("{}: {} {}{}", words_of(side), figure_words(rate_of(side)),
                              measure_of(side),
                              side.usd ? fmt::format(", {} a million", format_usd(*side.usd)) : "")
                : fmt::format("{} does not hold it", words_of(side));
    }
    return words.empty() ? words : words + ".";
}

bool SideBySide::is_told_first(const ComparedSide& side) const {
    const ComparedSide& best = sides_.front();
    const ComparedSide& other = *second();
    const bool rates =
        best.score > 0 && other.score > 0 && !best.by_energy && !(best.alike && other.alike);
    return rates && side.score > 0 && side.side != best.side && side.side != other.side;
}

std::string SideBySide::rates_beside(bool slow) const {
    std::string words;
    for (const ComparedSide& side : sides_) {
        if (is_told_first(side)) {
            words +=
                fmt::format(", {} on {}",
                            slow ? format_duration(1 / rate_of(side)) : figure_words(rate_of(side)),
                            words_of(side));
        }
    }
    return words;
}

std::string SideBySide::hold_on_one_of_each(WorkloadDocument& document,
                                            const Architecture& architecture, const Query& query) {
    // Which is faster is asked of both; which is better is answered by what one cannot hold.
    const bool faster = asks(reading_, "is_faster") || asks(reading_, "is_slower");
    if (!faster || is_counted() || document.task != Task::train || !stands_a_home()) {
        return "";
    }
    const auto held = [&](const WorkloadDocument& trial) {
        for (ComparedSide& side : sides_) {
            side.count = 1;
            judge(side, trial, architecture, query, tools_);
        }
        return every_side_holds();
    };
    if (held(document)) {
        return "";
    }
    for (LeanWay& way : lean_ways(tools_.knowledge.profiles, document, architecture, 1)) {
        if (!way.on_host && held(way.document)) {
            document = std::move(way.document);
            return fmt::format("With {} ({}), so that one of each holds it: ", way.words,
                               way.flags);
        }
    }
    return "";
}

std::string SideBySide::cards_of_each(const WorkloadDocument& document,
                                      const Architecture& architecture, const Query& query,
                                      std::string& least_words) const {
    const int count = sides_.front().count;
    const bool alike = std::ranges::all_of(
        sides_, [&](const ComparedSide& side) { return side.count == count && side.score > 0; });
    if (is_counted() || !alike || count < 2) {
        return "";
    }
    if (document.task != Task::train) {
        return fmt::format("With {} of each, as nobody said how many and one does not hold {}: ",
                           count, reading_.model);
    }
    std::string words;
    std::string lacking;
    for (ComparedSide side : sides_) {
        ComparedSide least = side;
        for (int fewer = count / 2; fewer >= 1; fewer /= 2) {
            side.count = fewer;
            judge(side, document, architecture, query, tools_);
            least = side.score > 0 ? side : least;
        }
        if (least.count > 1) {
            lacking += (lacking.empty() ? "one " : " nor one ") + least.part->name;
        }
        const bool recomputes = least.recompute != RecomputeMode::none;
        words += fmt::format("{}{} ({}{})", words.empty() ? "" : ", ", words_of(least),
                             least.framework, recomputes ? ", layers recomputed" : "");
    }
    least_words = fmt::format(" The least that trains {}: {}.", reading_.model, words);
    return fmt::format("With {} of each, as {} it: ", count,
                       lacking.find(" nor ") == lacking.npos ? lacking + " does not hold"
                                                             : "neither " + lacking + " holds");
}

std::string SideBySide::stacks_words(const WorkloadDocument& document,
                                     const Architecture& architecture, const Query& query) const {
    const bool open = !document.framework && reading_.sides.front().framework.empty() &&
                      document.task == Task::inference;
    const bool alike = std::ranges::all_of(sides_, [&](const ComparedSide& side) {
        return side.score <= 0 || side.framework == sides_.front().framework;
    });
    if (!open || alike || sides_.front().score <= 0) {
        return "";
    }
    const auto name = [&](const std::string& id) {
        const SoftwareProfile* stack = tools_.knowledge.profiles.software_profile(id);
        return stack == nullptr ? id : stack->shown_name();
    };
    std::string words;
    std::string of_one;
    for (const ComparedSide& side : sides_) {
        if (side.score <= 0) {
            continue;
        }
        words += fmt::format("{}{} on {}", words.empty() ? "" : ", ", name(side.framework),
                             words_of(side));
        WorkloadDocument same = document;
        same.framework = side.framework;
        std::string rates;
        const bool all = std::ranges::all_of(sides_, [&](ComparedSide other) {
            judge(other, same, architecture, query, tools_);
            rates += (rates.empty() ? "" : ", ") + figure_words(rate_of(other));
            return other.score > 0;
        });
        if (all && of_one.empty()) {
            of_one = fmt::format(" With {} on all: {} {}.", name(side.framework), rates,
                                 measure_of(side));
        }
    }
    return fmt::format(" Each runs its usual stack: {}.{}", words, of_one);
}

}  // namespace ridgeline
