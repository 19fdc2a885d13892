#include "advise/answer_own.h"

#include "advise/offers.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

// Replies about owning: against renting the same, and against renting another part.

namespace ridgeline {

const RentedInstead* least_rent(const OwnershipAnswer& owned) {
    // What may be taken away at any time is weighed against owning only where nothing else is rented.
    const auto order = [](const RentedInstead& each) {
        return std::pair(each.offer->kind == PriceKind::spot, each.usd_per_accelerator_hour);
    };
    const RentedInstead* rent = nullptr;
    for (const RentedInstead& each : owned.rented) {
        rent = rent == nullptr || order(each) < order(*rent) ? &each : rent;
    }
    return rent;
}

Answer reply_own(const Reading& reading, const OwnershipAnswer& owned) {
    Answer reply;
    const double used = owned.utilization.value_or(1);
    const RentedInstead* rent = least_rent(owned);
    AnswerChoice choice;
    choice.accelerator = owned.cluster.accelerator->id;
    choice.count = owned.cluster.count;
    const double each = owned.cost.per_delivered_hour(std::max(used, 1e-3));
    if (rent == nullptr) {
        reply.headline = fmt::format(
            "Owning {} x {} costs {} for each hour of work at {:.0f} % use; no rent of it is "
            "known.",
            choice.count,
            owned.cluster.accelerator->name,
            format_usd(each),
            100 * used);
        reply.values = {{"owning", {}, each, {}, "USD/h", ""}};
        return reply;
    }
    const bool buy = rent->break_even && *rent->break_even <= used;
    choice.why = buy ? "buy" : "rent";
    choice.usd_per_hour = buy ? each * choice.count : rent->usd_per_accelerator_hour * choice.count;
    reply.choice = choice;
    reply.values = {{"owning", {}, each, {}, "USD/h", ""},
                    {"renting", {}, rent->usd_per_accelerator_hour, {}, "USD/h", ""}};
    if (rent->break_even) {
        reply.values.push_back({"break_even", {}, *rent->break_even, {}, "share of hours", ""});
    }
    const auto months = owned.cost.payback_months(rent->usd_per_accelerator_hour, used);
    if (months) {
        reply.values.push_back({"payback", {}, *months, {}, "months", ""});
    }
    const std::string turn = !rent->break_even       ? "renting is always cheaper"
                             : *rent->break_even > 1 ? "renting is cheaper however busy it is"
                                                     : fmt::format("owning pays above {:.0f} % use",
                                                                   100 * *rent->break_even);
    const double contract = owned.market != nullptr ? owned.market->usd_per_hour_rental : 0;
    constexpr double months_of_contract = 12;
    const bool long_term = reading.months.value_or(0) >= months_of_contract && contract > 0 &&
                           rent->offer->kind != PriceKind::reserved && contract < rent->usd_per_accelerator_hour;
    reply.headline = fmt::format(
        "{}: {} x {}{} cost {} for each hour of work owned at {:.0f} % use, {} rented from {} ({}); "
        "{}{}.",
        buy ? "Buy" : "Rent",
        choice.count,
        owned.cluster.accelerator->name,
        reading.months ? fmt::format(" over {:g} months", *reading.months) : "",
        format_usd(each),
        100 * used,
        format_usd(rent->usd_per_accelerator_hour),
        rent->offer->provider,
        price_kind_word(rent->offer->kind),
        turn,
        months ? fmt::format(", bought pays after {:.3g} months", *months) : "");
    if (long_term) {
        // Nobody lists a rate for years; what the market paid decides where it is known.
        const bool still = each <= contract;
        choice.why = still ? "buy" : "rent";
        choice.usd_per_hour = (still ? each : contract) * choice.count;
        reply.choice = choice;
        reply.values.push_back({"contract", {}, contract, {}, "USD/h", ""});
        reply.headline = fmt::format(
            "{}: {} x {} over {:g} months cost {} for each hour of work owned at {:.0f} % use, {} on a contract of years as the "
            "market paid in {}; without one {} from {} ({}). No list price of a contract is known: ask for offers.",
            still ? "Buy" : "Rent on a contract",
            choice.count,
            owned.cluster.accelerator->name,
            *reading.months,
            format_usd(each),
            100 * used,
            format_usd(contract),
            owned.market->date,
            format_usd(rent->usd_per_accelerator_hour),
            rent->offer->provider,
            price_kind_word(rent->offer->kind));
    }
    return reply;
}

namespace {

/// What decides the work: the matrix rate of training, else memory bandwidth; 0: not known.
double deciding_figure(bool trains, const Cluster& cluster) {
    const Accelerator& part = *cluster.accelerator;
    const auto peak = part.peak(ComputeType::bf16);
    return cluster.count * (trains ? (peak ? *peak / teraflop_per_second : 0) : part.memory_bandwidth / gigabyte_per_second);
}

}  // namespace

Answer reply_own_or_rent(const Reading& reading, const OwnershipAnswer& owned, const Cluster& other) {
    const bool trains = reading.task == Task::train;
    const double used = std::max(owned.utilization.value_or(1), 1e-3);
    const int count = owned.cluster.count;
    const double own_hour = owned.cost.per_delivered_hour(used) * count;
    const std::string mine = fmt::format("{} x {}", count, owned.cluster.accelerator->name);
    const std::string theirs = fmt::format("{} x {}", other.count, other.accelerator->name);
    const RentedInstead* rent = least_rent(owned);
    Answer reply;
    reply.values = {{"owning", {}, own_hour, {}, "USD/h", owned.cluster.accelerator->id}};
    if (rent == nullptr) {
        reply.headline = fmt::format("Owning {} costs {} for each hour of work at {:.0f} % use; no rent of {} is known.",
                                     mine, format_usd(own_hour), 100 * used, theirs);
        return reply;
    }
    const double rent_hour = rent->usd_per_accelerator_hour * count;
    reply.values.push_back({"renting", {}, rent_hour, {}, "USD/h", other.accelerator->id});
    const double own_figure = deciding_figure(trains, owned.cluster);
    const double other_figure = deciding_figure(trains, other);
    const double faster = own_figure > 0 && other_figure > 0 ? other_figure / own_figure : 1;
    const bool buy = own_hour <= rent_hour / faster;
    AnswerChoice choice;
    choice.accelerator = buy ? owned.cluster.accelerator->id : other.accelerator->id;
    choice.count = buy ? count : other.count;
    choice.usd_per_hour = buy ? own_hour : rent_hour;
    choice.why = buy ? "buy" : "rent";
    reply.choice = choice;
    const std::string measure = trains ? "matrix rate" : "memory bandwidth";
    reply.headline = fmt::format(
        "{}: for each hour of work at {:.0f} % use {} owned{} cost {}, {} rented {} ({}, {}) with {:.2g} times the {}, so that as "
        "much of it costs {}; memory is {:g} GB against {:g}{}.",
        buy ? "Buy" : "Rent",
        100 * used,
        mine,
        reading.months ? fmt::format(" over {:g} months", *reading.months) : "",
        format_usd(own_hour),
        theirs,
        format_usd(rent_hour),
        rent->offer->provider,
        price_kind_word(rent->offer->kind),
        faster,
        measure,
        format_usd(rent_hour / faster),
        count * owned.cluster.accelerator->marketed_gb,
        other.count * other.accelerator->marketed_gb,
        rent->break_even && *rent->break_even <= 1
            ? fmt::format("; an hour of owning costs less above {:.0f} % use", 100 * *rent->break_even)
            : "");
    if (rent->break_even) {
        reply.values.push_back({"break_even", {}, *rent->break_even, {}, "share of hours", ""});
    }
    return reply;
}

}  // namespace ridgeline
