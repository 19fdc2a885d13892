#include "advise/answers/own.h"

#include "advise/hardware/offers.h"
#include "base/text.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

// Replies about owning: against renting the same, and against renting another part.

namespace ridgeline {

namespace {

/// Rates that estimates of owning do not tell apart.
constexpr double same_cost = 1.05;

double use_of(const OwnershipAnswer& owned) {
    return std::max(owned.utilization.value_or(1), 1e-3);
}

/// Dollars for each hour of work: what is reserved is paid at all hours.
double rented_hour(const RentedInstead& rent, double used) {
    return rent.usd_per_accelerator_hour / (rent.offer->kind == PriceKind::reserved ? used : 1);
}

/// From when on owning pays, within the life of what is owned.
std::string turn_of(const OwnershipAnswer& owned, const RentedInstead& rent,
                    std::optional<double> months) {
    if (rent.offer->kind == PriceKind::reserved) {
        return "both are paid at all hours";
    }
    if (!rent.break_even || *rent.break_even > 1) {
        return rent.break_even ? "renting is cheaper however busy it is"
                               : "renting is always cheaper";
    }
    const double life = 12 * owned.cost.years;
    const std::string back =
        !months           ? std::string()
        : *months <= life ? fmt::format(", bought pays after {:.3g} months", *months)
                          : fmt::format(", used as here it pays after {}, past the {} counted",
                                        months_words(std::round(*months)), months_words(life));
    return fmt::format("owning pays above {:.0f} % use, {:.0f} hours a month or {:.1f} a day{}",
                       100 * *rent.break_even, hours_of_a_month * *rent.break_even,
                       24 * *rent.break_even, back);
}

/// The hours of a month from which on it pays for itself in the months that are asked; empty: none
/// are.
std::string payback_in_words(const Reading& reading, const OwnershipAnswer& owned, double rent,
                             Answer& reply) {
    const double months = reading.months.value_or(reading.deadline_s.value_or(0) / (30 * 86400.0));
    if (!asks(reading, "payback_hours") || months <= 0) {
        return "";
    }
    const auto use = owned.cost.use_paid_back_in(rent, months);
    if (!use || *use > 1) {
        return fmt::format("It does not pay for itself in {}, however busy it is. ",
                           months_words(months));
    }
    reply.values.push_back({"hours", {}, hours_of_a_month * *use, {}, "hours/month", ""});
    return fmt::format("It pays for itself in {} from {:.0f} hours a month on ({:.0f} % use). ",
                       months_words(months), hours_of_a_month * *use, 100 * *use);
}

/// An hour of work at a use, were nothing got back at the end.
double without_resale(const OwnershipAnswer& owned, double used) {
    OwnershipInputs nothing = owned.inputs;
    nothing.residual_share = 0;
    return ownership_cost(nothing).per_delivered_hour(used);
}

/// Owning is cheaper by what is got back at the end alone, and that is assumed: the share of the
/// price that it has to sell for; nothing: it is cheaper or dearer either way, or the user said it.
std::optional<double> resale_that_turns(const OwnershipAnswer& owned, double rent, double used) {
    const double share = owned.inputs.residual_share;
    const bool given = std::any_of(
        owned.figures.begin(), owned.figures.end(),
        [](const UsedFigure& each) { return each.id == "residual_share" && each.given; });
    const double own = owned.cost.per_delivered_hour(used);
    const double nothing = without_resale(owned, used);
    return share > 0 && !given && own <= rent && nothing > rent
               ? std::optional(share * (nothing - rent) / (nothing - own))
               : std::nullopt;
}

/// own, rent  dollars of an hour of one
std::string verdict_on(const OwnershipAnswer& owned, double own, double rent, double used) {
    if (own <= rent && !owned.price_dated.empty()) {
        return fmt::format(
            "Buy only at its price of {}, which is not known to be asked today (--card-price)",
            owned.price_dated);
    }
    if (const auto share = resale_that_turns(owned, rent, used)) {
        const double usd = *share * owned.cost.capex_usd * owned.cluster.count;
        return fmt::format(
            "Buy only if it sells for {} or more at the end ({:.0f} % of what is paid), else rent",
            format_usd(std::round(usd)), 100 * *share);
    }
    const bool tie = own <= rent * same_cost && rent <= own * same_cost;
    return tie ? "A tie" : own <= rent ? "Buy" : "Rent";
}

/// Whether buying is the choice: what may be got back counts where single cards are sold on.
bool is_bought(const OwnershipAnswer& owned, double own, double rent, double used) {
    return own <= rent && owned.price_dated.empty() &&
           (owned.at_a_desk || !resale_that_turns(owned, rent, used));
}

/// What the answer counts as got back at the end, and an hour of work were it nothing; empty where
/// nothing is counted.
std::string resale_words(const OwnershipAnswer& owned, double used) {
    if (owned.inputs.residual_share <= 0) {
        return "";
    }
    const double back = owned.inputs.residual_share * owned.cost.capex_usd * owned.cluster.count;
    return fmt::format(
        " {} of the {} paid ({:.0f} %) are counted as got back at the end, by the trend of prices; "
        "were it nothing, that hour costs {}.",
        format_usd(std::round(back)),
        format_usd(std::round(owned.cost.capex_usd * owned.cluster.count)),
        100 * owned.inputs.residual_share, format_usd(without_resale(owned, used)));
}

}  // namespace

void assume_value_left(Reading& reading, const OwnershipAnswer& owned) {
    const auto share =
        std::find_if(owned.figures.begin(), owned.figures.end(),
                     [](const auto& each) { return each.id == "residual_share" && !each.given; });
    const bool paid = reading.owned && reading.sides.size() == 2;  // what it cost counts no more
    if (share != owned.figures.end() && !paid) {
        assume_first(reading, "residual_share", fmt::format("{:.2g}", share->value),
                     fmt::format("left of the price after {}, by the trend of prices: `own "
                                 "--residual` says what it sells for",
                                 months_words(12 * owned.cost.years)));
    }
}

const RentedInstead* least_rent(const OwnershipAnswer& owned) {
    // What may be taken away at any time is weighed against owning only where nothing else is
    // rented.
    const auto order = [used = use_of(owned)](const RentedInstead& each) {
        return std::pair(each.offer->kind == PriceKind::spot, rented_hour(each, used));
    };
    const RentedInstead* rent = nullptr;
    for (const RentedInstead& each : owned.rented) {
        rent = rent == nullptr || order(each) < order(*rent) ? &each : rent;
    }
    return rent;
}

Answer reply_own(const Reading& reading, const OwnershipAnswer& owned) {
    Answer reply;
    const double used = use_of(owned);
    const RentedInstead* rent = least_rent(owned);
    AnswerChoice choice;
    choice.accelerator = owned.cluster.accelerator->id;
    choice.count = owned.cluster.count;
    const double each = owned.cost.per_delivered_hour(used);
    if (rent == nullptr) {
        reply.headline = fmt::format(
            "Owning {} x {} costs {} for each hour of work at {:.0f} % use{}; no rent of it is "
            "known.",
            choice.count, owned.cluster.accelerator->name, format_usd(each), 100 * used,
            owned.price_dated.empty() ? "" : ", at its price of " + owned.price_dated);
        reply.values = {{"owning", {}, each, {}, "USD/h", ""}};
        return reply;
    }
    const double rented = rented_hour(*rent, used);
    const bool buy = is_bought(owned, each, rented, used);
    choice.why = buy ? "buy" : "rent";
    // What the bill says of a rent; the hour of work stands among the values.
    choice.usd_per_hour = (buy ? each : rent->offer->usd_per_accelerator_hour()) * choice.count;
    reply.choice = choice;
    reply.values = {{"owning", {}, each, {}, "USD/h", ""},
                    {"renting", {}, rented, {}, "USD/h", ""}};
    if (rent->break_even) {
        reply.values.push_back({"break_even", {}, *rent->break_even, {}, "share of hours", ""});
    }
    const auto months = owned.cost.payback_months(rented, used);
    if (months) {
        reply.values.push_back({"payback", {}, *months, {}, "months", ""});
    }
    // Paid at all hours, busy or not.
    const double contract = owned.market != nullptr ? owned.market->usd_per_hour_rental / used : 0;
    constexpr double months_of_contract = 12;
    const bool long_term = reading.months.value_or(0) >= months_of_contract && contract > 0 &&
                           reading.providers.empty() && !reading.usd_per_hour &&
                           rent->offer->kind != PriceKind::reserved && contract < rented;
    const std::string owning =
        fmt::format("{} x {}{} cost {} for each hour of work owned at {:.0f} % use", choice.count,
                    owned.cluster.accelerator->name,
                    reading.months ? " over " + months_words(*reading.months) : "",
                    format_usd(each), 100 * used);
    const std::string listed = fmt::format("{} rented from {} ({})", format_usd(rented),
                                           rent->offer->provider, name_of(rent->offer->kind));
    reply.headline = fmt::format("{}: {}, {}; {}.", verdict_on(owned, each, rented, used), owning,
                                 listed, turn_of(owned, *rent, months));
    const std::string whole =
        asks(reading, "total")
            ? fmt::format("Owning {} x {} costs {} in all over {}{}. ", choice.count,
                          owned.cluster.accelerator->name,
                          format_usd(std::round(owned.cost.total_usd(used) / 100) * 100),
                          months_words(12 * owned.cost.years),
                          used < 1 ? fmt::format(" at {:.0f} % use", 100 * used) : std::string())
            : std::string();
    if (!whole.empty()) {
        reply.values.push_back({"total", {}, owned.cost.total_usd(used), {}, "USD", ""});
    }
    reply.headline = whole + payback_in_words(reading, owned, rented, reply) + reply.headline;
    const std::string resale = resale_words(owned, used);
    if (long_term) {
        // Nobody lists a rate for years; what the market paid decides where it is known.
        const bool still = is_bought(owned, each, contract, used);
        choice.why = still ? "buy" : "rent";
        choice.usd_per_hour = (still ? each : contract) * choice.count;
        reply.choice = choice;
        reply.values.push_back({"contract", {}, contract, {}, "USD/h", ""});
        const std::string verdict = verdict_on(owned, each, contract, used);
        reply.headline =
            whole + fmt::format(
                        "{}: {}, {} on a contract of years ({} at all hours, as the market paid in "
                        "{}), {}. No list price of a contract is "
                        "known: ask for offers.",
                        verdict == "Rent" ? "Rent on a contract" : verdict, owning,
                        format_usd(contract), format_usd(owned.market->usd_per_hour_rental),
                        owned.market->date, listed);
    }
    reply.headline += resale;
    return reply;
}

namespace {

/// What decides the work: the matrix rate of training, else memory bandwidth; 0: not known.
double deciding_figure(bool trains, const Cluster& cluster) {
    const Accelerator& part = *cluster.accelerator;
    const auto peak = part.peak(ComputeType::bf16);
    return cluster.count * (trains ? (peak ? *peak / teraflop_per_second : 0)
                                   : part.memory_bandwidth / gigabyte_per_second);
}

}  // namespace

Answer reply_own_or_rent(const Reading& reading, const OwnershipAnswer& owned,
                         const Cluster& other) {
    const bool trains = reading.task == Task::train;
    const double used = use_of(owned);
    const int count = owned.cluster.count;
    const double own_hour = owned.cost.per_delivered_hour(used) * count;
    const std::string mine = fmt::format("{} x {}", count, owned.cluster.accelerator->name);
    const std::string theirs = fmt::format("{} x {}", other.count, other.accelerator->name);
    const RentedInstead* rent = least_rent(owned);
    Answer reply;
    reply.values = {{"owning", {}, own_hour, {}, "USD/h", owned.cluster.accelerator->id}};
    if (rent == nullptr) {
        reply.headline = fmt::format(
            "Owning {} costs {} for each hour of work at {:.0f} % use; no rent of {} is known.",
            mine, format_usd(own_hour), 100 * used, theirs);
        return reply;
    }
    const double rent_hour = rented_hour(*rent, used) * count;
    reply.values.push_back({"renting", {}, rent_hour, {}, "USD/h", other.accelerator->id});
    const double own_figure = deciding_figure(trains, owned.cluster);
    const double other_figure = deciding_figure(trains, other);
    const double faster = own_figure > 0 && other_figure > 0 ? other_figure / own_figure : 1;
    const double as_much = rent_hour / faster / count;  // for one of what is owned
    const bool buy = is_bought(owned, own_hour / count, as_much, used);
    AnswerChoice choice;
    choice.accelerator = buy ? owned.cluster.accelerator->id : other.accelerator->id;
    choice.count = buy ? count : other.count;
    choice.usd_per_hour = buy ? own_hour : rent_hour;
    choice.why = buy ? "buy" : "rent";
    reply.choice = choice;
    const std::string measure = trains ? "matrix rate" : "memory bandwidth";
    const std::string verdict = verdict_on(owned, own_hour / count, as_much, used);
    reply.headline = fmt::format(
        "{}: for each hour of work at {:.0f} % use {} owned{} cost {}, {} rented {} ({}, {}) with "
        "{:.2g} times the {}, so that as "
        "much of it costs {}; memory is {:g} GB against {:g}{}.",
        reading.owned && verdict == "Buy" ? std::string("Keep") : verdict, 100 * used, mine,
        reading.months ? " over " + months_words(*reading.months) : "", format_usd(own_hour),
        theirs, format_usd(rent_hour), rent->offer->provider, name_of(rent->offer->kind), faster,
        measure, format_usd(rent_hour / faster), count * owned.cluster.accelerator->marketed_gb,
        other.count * other.accelerator->marketed_gb,
        rent->break_even && *rent->break_even <= 1
            ? fmt::format("; an hour of owning costs less above {:.0f} % use",
                          100 * *rent->break_even)
            : "");
    reply.headline += reading.owned ? std::string() : resale_words(owned, used);
    if (rent->break_even) {
        reply.values.push_back({"break_even", {}, *rent->break_even, {}, "share of hours", ""});
    }
    return reply;
}

}  // namespace ridgeline
