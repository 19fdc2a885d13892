#include "advise/comparisons/side_by_side.h"
#include "advise/figure_words.h"
#include "advise/hardware/cluster.h"
#include "advise/hardware/desk.h"
#include "advise/hardware/offers.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

// Two sides that do the same work: which does it faster, in what time, and for less money.

namespace ridgeline {

namespace {

constexpr std::string_view bill_lead = "Rented for a month of ";

/// "all recomputed, micro-batch 2": of a plan of training what memory decides.
std::string plan_of(const ComparedSide& side) {
    return fmt::format("{} recomputed, micro-batch {}",
                       side.recompute == RecomputeMode::full        ? "all"
                       : side.recompute == RecomputeMode::selective ? "attention"
                                                                    : "nothing",
                       side.micro_batch);
}

}  // namespace

std::string SideBySide::without_price(const ComparedSide& best, const ComparedSide& other) const {
    std::string words;
    for (const ComparedSide* side : {&best, &other}) {
        const auto price = purchase_price(tools_.knowledge.catalog, *side->part);
        const bool sold = price && price->current && stands_at_a_desk(*side->part);
        if (!sold && times_listed(tools_.knowledge.catalog, *side->part) == 0) {
            words += fmt::format(
                "No rent or price of {} is listed: what a dollar buys of it is not known. ",
                words_of(*side));
        }
    }
    return words;
}

void SideBySide::add_values(Answer& reply) const {
    for (const ComparedSide& side : sides_) {
        if (side.score <= 0) {
            continue;
        }
        reply.values.push_back({"speed",
                                {},
                                rate_of(side),
                                {},
                                measure_of(side),
                                fmt::format("{} x {}", side.count, side.part->id)});
    }
}

std::string SideBySide::speed_words(const ComparedSide& best, const ComparedSide& other,
                                    const std::string& work) const {
    if (rate_of(best) < rate_of(other)) {  // the other misses what was asked
        return speed_words(other, best, work);
    }
    const std::string each =
        best.told_measure() + measure_of(best).substr(best.measure.size());  // " per accelerator"
    if (best.alike && other.alike) {
        const bool same_order = *best.alike >= *other.alike;
        const ComparedSide& first = same_order ? best : other;
        const ComparedSide& last = same_order ? other : best;
        const bool less_room = best.part->capacity() < other.part->capacity();
        const ComparedSide& tight = less_room ? best : other;
        const ComparedSide& roomy = less_room ? other : best;
        return fmt::format(
            "{} for {} ({} against {} {}), each by its own plan: {} has room for another ({}). At "
            "the same "
            "plan ({}) {}: {} against {}.",
            faster_words(words_of(best), words_of(other), rate_of(best) / rate_of(other)), work,
            figure_words(rate_of(best)), figure_words(rate_of(other)), each, words_of(roomy),
            plan_of(roomy), plan_of(tight),
            faster_words(words_of(first), words_of(last), *first.alike / *last.alike),
            figure_words(*first.alike), figure_words(*last.alike));
    }
    const std::string busy =
        best.filled ? fmt::format(" of all, {:g} and {:g} at once", best.busy_with, other.busy_with)
        : best.load_each > 0 ? fmt::format(", {:g} requests at once on each", best.load_each)
                             : "";
    // What takes minutes is told by what one takes.
    constexpr double waited_for_s = 60;
    const bool slow = best.measure == "samples/s" && rate_of(best) * waited_for_s < 1;
    const std::string rates =
        slow ? fmt::format("{} against {} for each of the {}", format_duration(1 / rate_of(best)),
                           format_duration(1 / rate_of(other)), best.made)
             : fmt::format("{} against {} {}", figure_words(rate_of(best)),
                           figure_words(rate_of(other)), each);
    const std::string beside = rates_beside(slow);
    return fmt::format(
               "{} for {} ({}{}{}).",
               faster_words(words_of(best), words_of(other), rate_of(best) / rate_of(other)), work,
               rates, busy, beside) +
           recompute_words(best, other);
}

std::string SideBySide::length_words(const ComparedSide& best, const ComparedSide& other,
                                     Answer& reply) const {
    const bool tokens = best.measure == "tokens/s";
    const double shown = reading_.samples.value_or(0) * reading_.epochs.value_or(1);
    const double stepped = static_cast<double>(reading_.steps.value_or(0)) *
                           reading_.batch.value_or(0) *
                           (tokens ? reading_.sequence.value_or(0) : 1);
    const double amount = stepped > 0 ? stepped
                          : tokens    ? reading_.tokens.value_or(0) * reading_.epochs.value_or(1)
                                      : shown;
    if (amount <= 0 || (!tokens && best.measure != "samples/s") || reading_.deadline_s) {
        return "";
    }
    for (const ComparedSide* side : {&best, &other}) {
        reply.values.push_back({"duration",
                                {},
                                amount / side->score,
                                {},
                                "s",
                                fmt::format("{} x {}", side->count, side->part->id)});
    }
    const auto usd = [&](const ComparedSide& side) {
        return amount / side.score / 3600 * side.usd_per_hour;
    };
    const auto told = [&](const ComparedSide& side) {
        return format_duration(amount / side.score) + " on " + words_of(side) +
               (usd(side) > 0 ? " (" + format_usd(usd(side)) + " of rent)" : "");
    };
    std::string cheaper;
    if (weighs_cost() && usd(best) > 0 && usd(other) > 0) {
        cheaper = words_of(usd(best) <= usd(other) ? best : other) + " is the cheaper: ";
    } else if (weighs_cost()) {
        cheaper = fmt::format("Which is cheaper is not known, since no rent of {} is listed: ",
                              words_of(usd(best) > 0 ? other : best));
    }
    return fmt::format("{}{} {} take {}, {}. ", cheaper, format_count(amount), best.made,
                       told(best), told(other));
}

namespace {

/// "a takes less energy for llama-3.1-8b: 1.2 J against 2 of b".
std::string energy_words_beside(const ComparedSide& best, const ComparedSide& other,
                                const std::string& work) {
    const bool same = best.score / other.score < same_rate_within;
    return fmt::format("{} takes {} energy for {}: {} {} against {} of {}.", words_of(best),
                       same ? "about the same" : "less", work, figure_words(best.score),
                       best.told_measure(), figure_words(other.score), words_of(other));
}

/// " On a 12 requests run at once, the others wait.": how many a side serves or makes together.
std::string at_once_words(const ComparedSide& side) {
    return side.running > 0 ? fmt::format(" On {} {:.0f} requests run at once, the others wait.",
                                          words_of(side), side.running)
           : side.at_once > 1
               ? fmt::format(" {} make {} at once, none of them sooner than one card does.",
                             words_of(side), side.at_once)
               : std::string();
}

void add_watts(const ComparedSide& side, Answer& reply) {
    reply.values.push_back({"power",
                            {},
                            side.count * (side.part->tdp / watt),
                            {},
                            "W",
                            fmt::format("{} x {}", side.count, side.part->id)});
}

/// One of them does the work.
std::string only_one_words(const ComparedSide& best, const ComparedSide& other,
                           const std::string& work, const Catalog& catalog) {
    const std::string words =
        fmt::format("Only {} holds {}, at {} {}; {} does not.", words_of(best), work,
                    figure_words(best.score), best.told_measure(), words_of(other));
    const bool homes = is_home(*best.part) && is_home(*other.part);
    return homes ? words + bought_words(best, other, catalog) : words;
}

}  // namespace

std::string SideBySide::bills_of_sides(const ComparedSide& best, const ComparedSide& other) const {
    if (!asks(reading_, "per_month")) {
        return "";
    }
    const double day = reading_.hours_per_day.value_or(24);
    std::string words;
    for (const ComparedSide* side : {&best, &other}) {
        const double month = side->usd_per_hour * hours_of_a_month * day / 24;
        words += fmt::format("{}{} {}", words.empty() ? "" : ", ", words_of(*side),
                             month > 0 ? format_usd(month) : "no rent that is listed");
    }
    return fmt::format("{}{:g} hours a day: {}. ", bill_lead, day, words);
}

Answer SideBySide::in_words(const std::string& stored, const std::string& larger_batch) const {
    const ComparedSide& best = sides_.front();
    const ComparedSide* other = second();
    Answer reply;
    add_values(reply);
    const std::string work = reading_.model + stored;
    if (best.score <= 0) {
        reply.headline =
            fmt::format("Neither {} nor {} holds {}.", words_of(best), words_of(*other), work);
        return reply;
    }
    reply.choice = choice_of(best);
    if (other->score <= 0) {
        reply.headline = only_one_words(best, *other, work, tools_.knowledge.catalog);
        return reply;
    }
    if (best.by_energy) {
        reply.headline = energy_words_beside(best, *other, work);
        reply.runner_up = choice_of(*other);
        return reply;
    }
    const ComparedSide& rented = *cheapest_beside(*other);
    // What stands in a rack is weighed by the rent of a token, when it is busy.
    const bool desks = stands_at_a_desk(*best.part) && stands_at_a_desk(*other->part);
    const auto is_priced = [](const ComparedSide& side) {
        return side.side != nullptr && side.side->usd_told > 0;
    };
    const bool told = is_priced(best) && is_priced(*other);
    const std::string worth = ((asks(reading_, "value") || reading_.home) && desks) || told
                                  ? value_words(best, *other, "", tools_.knowledge.catalog)
                                  : std::string();
    const bool added =
        reading_.owned && best.part == other->part;  // one more of what is there: nobody rents
    std::string money = added ? std::string()
                        : worth.empty()
                            ? money_words(best, rented, tools_.knowledge.catalog,
                                          &rented == other ? nullptr : other, sides_.size() == 2)
                            : worth;
    const std::string kinds = kinds_words(best, rented, tools_.knowledge.catalog);
    if (const std::string months = kinds.empty() ? bills_of_sides(best, *other) : "";
        !months.empty()) {
        money = months + money;
    }
    // Where the bill is asked, its kinds lead; else they stand behind what is cheaper.
    const bool bill = asks(reading_, "per_month") || asks(reading_, "price_kinds");
    money = kinds.empty() ? money : bill ? kinds + " " + money : money + " " + kinds;
    if (reading_.budget_usd) {
        money += above_sum_words(*reading_.budget_usd, {&best, other}, tools_.knowledge.catalog);
    }
    std::string speed = speed_words(best, *other, work);
    if (larger_batch.empty()) {
        speed += bound_words(best, *other);
    } else {
        speed.insert(speed.find_last_not_of('.') + 1, larger_batch);
    }
    // What was asked for goes first.
    const bool by_rent = weighs_cost() && (best.usd || rented.usd) && worth.empty();
    const bool other_is_cheaper = by_rent && rented.usd && (!best.usd || *rented.usd < *best.usd);
    const std::string length = length_words(best, *other, reply);
    if (by_rent && length.empty() && !(best.usd && rented.usd)) {
        money = "Which is cheaper is not known, for want of a price. " + money;
    } else if (by_rent && !length.empty()) {
        money.clear();
    }
    reply.headline =
        money.empty() ? speed
        : by_rent || (bill && !kinds.empty()) || (!worth.empty() && asks(reading_, "value"))
            ? money + " " + speed
        : bill && money.starts_with(bill_lead) ? money + " " + speed
                                               : speed + " " + money;
    reply.headline = matched_words(true) + length +
                     (asks(reading_, "value") ? without_price(best, *other) : "") + reply.headline;
    reply.headline += at_once_words(best) + at_once_words(*other);
    if (asks(reading_, "power")) {
        reply.headline = watts_words(best, *other) + reply.headline;
        add_watts(best, reply);
        add_watts(*other, reply);
    }
    reply.choice = choice_of(other_is_cheaper ? rented : best);
    reply.runner_up = choice_of(other_is_cheaper ? best : *other);
    return reply;
}

}  // namespace ridgeline
