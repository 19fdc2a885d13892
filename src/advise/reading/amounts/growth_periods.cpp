#include "advise/reading/amounts/steps.h"
#include "advise/reading/numbers/time_units.h"
#include "advise/reading/words/sentence.h"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <string_view>

// A load that grows again and again: "doubles every 6 months", of which the load after a longer
// time is asked. Read before times and shares, which would take its numbers for a term of rent or
// a share of the day.

namespace ridgeline::reading {
namespace {

/// A time that was told, and the tokens that tell it; seconds 0: none stands there.
struct TimeTold {
    double seconds = 0;
    std::size_t from = 0;
    std::size_t end = 0;
    bool lasts = false;  ///< "over 3 years": a term that what is had is paid for, too
};

/// "6 months", "18mo", "three years", "a year", "year" from token `at` on.
TimeTold told_time_at(const Sentence& sentence, std::size_t at) {
    if (at >= sentence.tokens.size()) {
        return {};
    }
    double value = 1;
    std::size_t i = at;
    std::string unit;
    if (const auto measure = measure_at(sentence, at);
        measure && !measure->negative && measure->value > 0) {
        value = measure->value;
        unit = measure->unit;
        i += measure->length;
    } else if (is_any(sentence.word(i), "a an one the")) {
        ++i;
    }
    if (unit.empty()) {
        if (i >= sentence.tokens.size() || (i > at && !sentence.follows(i))) {
            return {};
        }
        unit = sentence.word(i);
        ++i;
    }
    // "week-end" is no week
    if (is_any(sentence.word(i), "end ends") && i < sentence.tokens.size() &&
        is_any(unit, "week weeks")) {
        return {};
    }
    unit = unit == "quarters" ? "quarter" : unit;
    const double one = is_any(unit, "w d h m min s") ? 0 : seconds_of(unit);
    return one >= 7 * 86400.0 ? TimeTold{value * one, at, i} : TimeTold{};
}

/// "every 6 months", "per year", "a month", "monthly", "yoy" from token `at` on.
TimeTold growth_period_at(const Sentence& sentence, std::size_t at) {
    if (!sentence.follows(at)) {
        return {};
    }
    const std::string_view word = sentence.word(at);
    const double adverb = is_any(word, "monthly mom")              ? seconds_of("month")
                          : is_any(word, "yearly annually yoy pa") ? 12 * seconds_of("month")
                          : is_any(word, "quarterly qoq")          ? 3 * seconds_of("month")
                          : is_any(word, "weekly wow")             ? seconds_of("week")
                                                                   : 0;
    if (adverb > 0) {
        return {adverb, at, at + 1};
    }
    // "20% month over month", "a year on year growth"
    if (const TimeTold first = told_time_at(sentence, at);
        first.seconds > 0 && is_any(sentence.word(first.end), "over on") &&
        told_time_at(sentence, first.end + 1).seconds == first.seconds) {
        return {first.seconds, at, told_time_at(sentence, first.end + 1).end};
    }
    const bool slash = sentence.tokens[at].gap == Gap::slash;
    const std::size_t time = slash || is_any(word, "a an") ? at : at + 1;
    if (!slash && !is_any(word, "every per each a an")) {
        return {};
    }
    const TimeTold told = told_time_at(sentence, time);
    return told.seconds > 0 ? TimeTold{told.seconds, at, told.end} : TimeTold{};
}

/// By how much it grows in each period.
struct GrowthStep {
    double factor = 1;
    std::size_t from = 0;
    std::size_t end = 0;  ///< one past the period
    double period_s = 0;
};

/// "doubles", "grows 3x", "20% growth", "growing by 20%", and the period behind it.
GrowthStep growth_step_at(const Sentence& sentence, std::size_t at) {
    constexpr std::string_view grows =
        "grow grows growing growth increase increases increasing rise rises rising expand expands "
        "climbs goes going up";
    double factor = is_any(sentence.word(at), "double doubles doubling")   ? 2
                    : is_any(sentence.word(at), "triple triples tripling") ? 3
                    : is_any(sentence.word(at), "quadruples quadrupling")  ? 4
                                                                           : 0;
    std::size_t from = at;
    std::size_t end = at + 1;
    if (factor == 0) {
        const auto measure = measure_at(sentence, at);
        if (!measure || measure->negative || measure->value <= 0 || measure->value > 1000) {
            return {};
        }
        end = at + measure->length;
        std::string_view unit = measure->unit;
        if (unit.empty() && sentence.follows(end)) {
            unit = sentence.word(end);
            ++end;
        }
        const bool share = is_any(unit, "% percent pct prozent");
        if (!share && !(is_any(unit, "x times fold") && measure->value > 1)) {
            return {};
        }
        factor = share ? 1 + measure->value / 100 : measure->value;
        from = first_of_words(sentence, at, "by of about around roughly ~ with at to +");
        const bool before = from > 0 && is_any(sentence.word(from - 1), grows);
        const bool behind = sentence.follows(end) && is_any(sentence.word(end), grows);
        // "10x every year", "+20% monthly" with traffic in front
        const bool load =
            from > 0 && is_any(sentence.word(from - 1), "traffic load demand usage +");
        if (!before && !behind && !load) {
            return {};
        }
        from -= before ? 1 : 0;
        end += behind ? 1 : 0;
    }
    while (sentence.follows(end) &&
           is_any(sentence.word(end), "in of the our load traffic demand users requests usage")) {
        ++end;
    }
    const TimeTold period = growth_period_at(sentence, end);
    return period.seconds > 0 ? GrowthStep{factor, from, period.end, period.seconds} : GrowthStep{};
}

/// Whether it is a price, a model or a memory that grows.
bool grows_otherwise(const Sentence& sentence, const GrowthStep& step) {
    constexpr std::string_view others =
        "price prices cost costs rent rents bill budget salary salaries fee fees memory vram model "
        "models revenue power electricity dataset data";
    const std::size_t first = step.from - std::min<std::size_t>(step.from, 3);
    for (std::size_t i = step.from; i > first && sentence.tokens[i].gap != Gap::stop; --i) {
        if (is_any(sentence.word(i - 1), others)) {
            return true;
        }
    }
    return false;
}

/// When the load is asked of: "in 18 months", "a year from now", "for the next 3 years", "two
/// years out", "next year"; outside the tokens of the step.
TimeTold horizon_of(const Sentence& sentence, const GrowthStep& step) {
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        if (i >= step.from && i < step.end) {
            continue;
        }
        const bool leads = is_any(sentence.word(i), "in within after over for by next");
        std::size_t at = leads ? i + 1 : i;
        while (leads && sentence.follows(at) && is_any(sentence.word(at), "the next coming")) {
            ++at;
        }
        // "for months" tells none; "next year" is one.
        const bool bare = at < sentence.tokens.size() && seconds_of(sentence.word(at)) > 0 &&
                          (!leads || sentence.word(at - 1) != "next");
        const TimeTold told = bare ? TimeTold{} : told_time_at(sentence, at);
        if (told.seconds <= 0 || (told.from < step.end && told.end > step.from)) {
            continue;
        }
        std::size_t end = told.end;
        const bool out = sentence.follows(end) &&
                         is_any(sentence.word(end), "from out ahead later hence away time");
        end += out ? 1 : 0;
        end += out && is_any(sentence.word(end), "now today") ? 1 : 0;
        if (leads || out) {
            const bool lasts = is_any(sentence.word(i), "over for") && told.from == i + 1 && !out;
            return {told.seconds, i, end, lasts};
        }
    }
    return {};
}

std::string grown_times(double factor) {
    return factor >= 2 ? fmt::format("{:.3g} times as many", factor)
                       : fmt::format("{:.3g} % more", 100 * (factor - 1));
}

}  // namespace

void recognise_growth_periods(Sentence& sentence) {
    if (!sentence.any_word("rps qps requests request req users user traffic load demand streams "
                           "calls sessions queries people customers clients concurrent s")) {
        return;
    }
    for (std::size_t at = 0; at < sentence.tokens.size(); ++at) {
        const GrowthStep step = sentence.open(at) ? growth_step_at(sentence, at) : GrowthStep{};
        if (step.factor <= 1 || grows_otherwise(sentence, step)) {
            continue;
        }
        const TimeTold horizon = horizon_of(sentence, step);
        if (horizon.seconds <= 0) {
            return;
        }
        const double periods = horizon.seconds / step.period_s;
        const double grown = std::pow(step.factor, periods);
        constexpr double most = 1e6;  // what comes again and again adds up to no growth
        if (grown > most) {
            return;
        }
        sentence.grown = grown;
        sentence.grown_words = fmt::format("{}, as it grows {} times in that time to {} each",
                                           grown_times(sentence.grown),
                                           std::round(10 * periods) / 10, grown_times(step.factor));
        sentence.claim(step.from, step.end - step.from);
        if (!horizon.lasts) {
            sentence.claim(horizon.from, horizon.end - horizon.from);
        }
        return;
    }
}

}  // namespace ridgeline::reading
