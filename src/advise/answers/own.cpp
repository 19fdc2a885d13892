#include "advise/answers/own.h"

#include "advise/figure_words.h"
#include "advise/hardware/offers.h"
#include "base/text.h"
#include "estimate/money/power.h"
#include "spec/hardware_names.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

// Replies about owning: against renting the same, and against renting another part.

namespace ridgeline {

bool is_kept(const Reading& reading) {
    // Who asks for the cost of all, or what it sells for, pays for it.
    return reading.owned && !reading.budget_usd && !reading.buy &&
           reading.price_kind != "purchase" && !asks(reading, "total");
}

namespace {

/// Rates that estimates of owning do not tell apart.
constexpr double same_cost = 1.05;

/// Dollars of the whole cluster over the time that it is owned.
double over_life(const OwnershipAnswer& owned, double usd_per_hour) {
    return usd_per_hour * hours_per_year * owned.cost.years * owned.cluster.count;
}

std::string about_usd(double usd) { return "$" + figure_words(usd); }

std::string turning_use(double used) {
    return fmt::format("{:.0f} % use ({:.0f} hours a month, {:.2g} a day)", 100 * used,
                       hours_of_a_month * used, 24 * used);
}

std::string busy_words(double used) {
    return used < 1 ? fmt::format("at {:.0f} % use ({:.2g} h a day)", 100 * used, 24 * used)
                    : std::string("at all hours");
}

/// "10 months of 2 x RTX 5090 at 17 % use (4 h a day)".
std::string work_words(const OwnershipAnswer& owned, double used) {
    return fmt::format("{} of {} x {} {}", life_words(owned.cost.years), owned.cluster.count,
                       short_name(*owned.cluster.accelerator), busy_words(used));
}

/// "$11,000 to buy, $1,400 to run, less $5,780 or 52 % got back at the end".
std::string parts_words(const OwnershipAnswer& owned, double used) {
    const double paid = owned.cost.capex_usd * owned.cluster.count;
    const double back = owned.inputs.residual_share * paid;
    const double runs = owned.cost.total_usd(used) - paid + back;
    std::string words = fmt::format(
        "{} to buy{}{}{}, {}", about_usd(paid),
        owned.inputs.server_cost_ratio > 1 ? (owned.at_a_desk             ? " with the computer"
                                              : owned.cluster.nodes() > 1 ? " with servers"
                                                                          : " with its server")
                                           : "",
        owned.only_new ? " new, as no used price is known" : "",
        owned.price_age.empty() ? "" : fmt::format(" (a price of {})", owned.price_age),
        owned.inputs.server_kw > 0 ? about_usd(runs) + " to run"
                                   : std::string("its electricity not in it, as no source "
                                                 "tells what it draws"));
    if (back > 0) {
        words += fmt::format(", less {} or {:.0f} % got back at the end", about_usd(back),
                             100 * owned.inputs.residual_share);
    }
    return words;
}

/// "lambda (on_demand, $15.92/h)", "verda (on_demand, $10.46/h, a machine of 8)".
std::string renter_words(const OwnershipAnswer& owned, const RentedInstead& rent) {
    const int machines = std::max(1, rent.instances);
    const bool more = machines * rent.offer->count > owned.cluster.count;
    return fmt::format(
        "{} ({}, {}{}/h{})", rent.offer->provider, name_of(rent.offer->kind),
        rent.other != nullptr ? short_name(*rent.other) + " " : std::string(),
        format_usd(rent.usd_per_accelerator_hour * owned.cluster.count),
        more ? fmt::format(
                   ", {} of {}, of which {} idle",
                   machines > 1 ? fmt::format("{} machines", machines) : std::string("a machine"),
                   rent.offer->count, machines * rent.offer->count - owned.cluster.count)
             : "");
}

/// From when on owning pays; that it is paid back is said where its life is that long.
std::string turn_of(const OwnershipAnswer& owned, const RentedInstead& rent,
                    std::optional<double> months) {
    if (rent.offer->kind == PriceKind::reserved) {
        return "what is reserved is paid at all hours" +
               (months ? ", bought pays after " + months_words(*months) : std::string());
    }
    if (!rent.break_even || *rent.break_even > 1) {
        return rent.break_even ? "renting is cheaper however busy it is"
                               : "renting is always cheaper";
    }
    constexpr double seldom = 0.01;
    if (*rent.break_even < seldom) {
        return "owning is cheaper however seldom it is used";
    }
    return fmt::format("owning pays above {}{}", turning_use(*rent.break_even),
                       months && *months <= 12 * owned.cost.years
                           ? fmt::format(", bought pays after {}", months_words(*months))
                           : "");
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

/// An hour of work at a use of what was bought for so much, were nothing got back at the end.
double without_resale(const OwnershipAnswer& owned, double used, double price_usd) {
    OwnershipInputs nothing = owned.inputs;
    nothing.residual_share = 0;
    nothing.price_usd = price_usd;
    return ownership_cost(nothing).per_delivered_hour(used);
}

/// Owning is cheaper by what is got back at the end alone, and that is assumed: the share of the
/// price that it has to sell for; nothing: it is cheaper or dearer either way, or the user said it.
std::optional<double> resale_that_turns(const OwnershipAnswer& owned, double rent, double used) {
    const double share = owned.inputs.residual_share;
    const bool given = std::ranges::any_of(owned.figures, [](const UsedFigure& each) {
        return each.id == "residual_share" && each.given;
    });
    const double own = owned.cost.per_delivered_hour(used);
    const double nothing = without_resale(owned, used, owned.inputs.price_usd);
    return share > 0 && !given && own <= rent && nothing > rent
               ? std::optional(share * (nothing - rent) / (nothing - own))
               : std::nullopt;
}

/// The price of one below which owning is cheaper than a rent, of which a share is got back.
double price_that_turns(const OwnershipAnswer& owned, double rent, double used, double share) {
    const auto hour = [&](double price_usd) {
        OwnershipInputs inputs = owned.inputs;
        inputs.price_usd = price_usd;
        inputs.residual_share = share;
        return ownership_cost(inputs).per_delivered_hour(used);
    };
    const double running = hour(0);
    const double dollar = hour(1) - running;
    return dollar > 0 ? (rent - running) / dollar : 0;
}

/// "Rent, unless a machine of 8 is offered for $71,800 or less, or for $249,000 if 72 % of it is
/// got back after 1 year": at which prices the sums below turn.
std::string offers_that_turn(const OwnershipAnswer& owned, double rent, double used) {
    const double share = owned.inputs.residual_share;
    const double least = price_that_turns(owned, rent, used, 0);
    const double most = price_that_turns(owned, rent, used, share);
    if (most <= 0) {
        return "Rent";
    }
    // The price of a system is that of all in it.
    const int each = owned.price_of_system ? owned.cluster.per_node : 1;
    const std::string what = each > 1 ? fmt::format("a machine of {}", each) : std::string("one");
    const std::string apart =
        owned.inputs.server_cost_ratio > 1 ? " (what stands around it comes on top)" : "";
    const std::string back = fmt::format("{:.0f} % of it is got back after {}", 100 * share,
                                         life_words(owned.cost.years));
    if (least <= 0) {
        return fmt::format("Rent, unless {} is offered for {} or less{} and {}", what,
                           about_usd(each * most), apart, back);
    }
    return fmt::format(
        "Rent, unless {} is offered for {} or less{}{}", what, about_usd(each * least), apart,
        share > 0 ? fmt::format(", or for {} if {}", about_usd(each * most), back) : "");
}

/// Whether buying is the choice; what has to be got back at the end for it stands beside it.
bool is_bought(const OwnershipAnswer& owned, double own, double rent) {
    return own <= rent && owned.price_dated.empty();
}

/// own, rent  dollars of an hour of one
std::string verdict_on(const Reading& reading, const OwnershipAnswer& owned, double own,
                       double rent, double used, const RentedInstead& from) {
    if (!owned.price_dated.empty()) {
        return offers_that_turn(owned, rent, used);
    }
    if (const auto share = resale_that_turns(owned, rent, used)) {
        return fmt::format("Buy, if it sells for {} or more at the end ({:.0f} % of what is paid)",
                           about_usd(*share * owned.cost.capex_usd * owned.cluster.count),
                           100 * *share);
    }
    const bool tie = own <= rent * same_cost && rent <= own * same_cost;
    return tie                                       ? "A tie"
           : own <= rent                             ? (is_kept(reading) ? "Keep" : "Buy")
           : from.offer->kind == PriceKind::reserved ? "Reserve"
                                                     : "Rent";
}

}  // namespace

void assume_owning(Reading& reading, const OwnershipAnswer& owned) {
    const auto share = std::ranges::find_if(
        owned.figures, [](const auto& each) { return each.id == "residual_share" && !each.given; });
    if (share != owned.figures.end() && !is_kept(reading)) {
        assume_first(reading, "residual_share", fmt::format("{:.2g}", share->value),
                     fmt::format("left of all that is paid after {}, of the accelerators by the "
                                 "trend of prices, of what stands around them nothing: \"resale "
                                 "of 50 %\", `own --residual`",
                                 life_words(owned.cost.years)));
    }
    if (!reading.months && !reading.deadline_s) {
        assume_first(reading, "months", fmt::format("{:g}", 12 * owned.cost.years),
                     "how long it is owned, as no time was said");
    }
    if (!owned.utilization) {
        assume_first(reading, "hours_per_day", "24", "busy at all hours, as no other use was said");
    }
}

namespace {

/// Whether there is a use below which renting is cheaper, and above which owning is.
bool turns_by_use(const RentedInstead& rent) {
    constexpr double seldom = 0.01;
    return rent.offer->kind != PriceKind::reserved && rent.break_even &&
           *rent.break_even >= seldom && *rent.break_even <= 1;
}

/// What is paid of what is owned, and what is left out of that.
std::string last_words(const Reading& reading, const OwnershipAnswer& owned, double used) {
    return is_kept(reading)
               ? std::string("What it cost, and what it would sell for, is left out.")
               : fmt::format("Owned {} {}.", owned.cluster.count > 1 ? "they are" : "it is",
                             parts_words(owned, used));
}

/// Nobody lists a rate for years: what the market paid, for each hour of work, where it is less
/// than the least rent that is known and the months are that many; else 0. It is paid at all hours.
double contract_of_years(const Reading& reading, const OwnershipAnswer& owned,
                         const RentedInstead& rent, double used) {
    constexpr double months_of_contract = 36;
    const double contract = owned.market != nullptr ? owned.market->usd_per_hour_rental / used : 0;
    const bool weighed = reading.months.value_or(0) >= months_of_contract &&
                         reading.providers.empty() && !reading.usd_per_hour &&
                         rent.offer->kind != PriceKind::reserved &&
                         contract < rented_hour(rent, used);
    return weighed ? contract : 0;
}

/// " Against the least rent on demand (runpod, $1.50/h) owning pays above 14 % use": where the rent
/// that is weighed is a market's, and one that is listed on demand turns the verdict; else empty.
std::string on_demand_words(const OwnershipAnswer& owned, const RentedInstead& weighed,
                            double own_hour, double used) {
    const RentedInstead* listed = nullptr;
    for (const RentedInstead& each : owned.rented) {
        const bool less =
            listed == nullptr || each.usd_per_accelerator_hour < listed->usd_per_accelerator_hour;
        listed = each.offer->kind == PriceKind::on_demand && less ? &each : listed;
    }
    const bool turns = listed != nullptr && weighed.offer->kind == PriceKind::marketplace &&
                       own_hour > rented_hour(weighed, used) &&
                       own_hour <= rented_hour(*listed, used) && listed->break_even;
    return turns ? fmt::format(" Against the least rent on demand, {}, owning pays above {}.",
                               renter_words(owned, *listed), turning_use(*listed->break_even))
                 : std::string();
}

}  // namespace

double turning_usd(const OwnershipAnswer& owned) {
    const RentedInstead* rent = least_rent(owned);
    const double used = use_of(owned);
    return rent == nullptr ? 0 : price_that_turns(owned, rented_hour(*rent, used), used, 0);
}

std::string turning_words(const OwnershipAnswer& owned) {
    const RentedInstead* rent = least_rent(owned);
    const double used = use_of(owned);
    return rent == nullptr ? std::string()
                           : offers_that_turn(owned, rented_hour(*rent, used), used);
}

Answer reply_own(const Reading& reading, const OwnershipAnswer& owned) {
    Answer reply;
    const double used = use_of(owned);
    const RentedInstead* rent = least_rent(owned);
    AnswerChoice choice;
    choice.accelerator = owned.cluster.accelerator->id;
    choice.count = owned.cluster.count;
    const double each = owned.cost.per_delivered_hour(used);
    const std::string work = work_words(owned, used);
    const std::string total =
        fmt::format("Owning {} costs {} an hour{}{}, {} in all ({})", work, format_usd(each),
                    used < 1 ? " of work" : "", choice.count > 1 ? " for each" : "",
                    about_usd(owned.cost.total_usd(used)), parts_words(owned, used));
    const std::string at_price = owned.price_dated.empty()
                                     ? std::string()
                                     : fmt::format(" at its price of {}", owned.price_dated);
    reply.values = {{"owning", {}, each * choice.count, {}, "USD/h", ""},
                    {"total", {}, owned.cost.total_usd(used), {}, "USD", ""}};
    if (rent == nullptr) {
        reply.headline = fmt::format("{}{}; no rent of it is known.", total, at_price);
        return reply;
    }
    const double rented = rented_hour(*rent, used);
    const double contract = contract_of_years(reading, owned, *rent, used);
    const bool buy = is_bought(owned, each, rented);
    choice.why = buy ? "buy" : "rent";
    // What the bill says of a rent; the hour of work stands among the values.
    choice.usd_per_hour = choice.count * (buy ? each : rent->offer->usd_per_accelerator_hour());
    reply.choice = choice;
    reply.values.push_back({"renting", {}, rented * choice.count, {}, "USD/h", ""});
    reply.values.push_back({"total_rented", {}, over_life(owned, used * rented), {}, "USD", ""});
    if (rent->break_even) {
        reply.values.push_back({"break_even", {}, *rent->break_even, {}, "share of hours", ""});
    }
    const auto months = owned.cost.payback_months(rented, used);
    if (months) {
        reply.values.push_back({"payback", {}, *months, {}, "months", ""});
    }
    std::string verdict = verdict_on(reading, owned, each, rented, used, *rent);
    if (contract > 0 && contract < each && verdict.starts_with("Buy")) {
        verdict = fmt::format(
            "Reserve, if a contract of years is offered below {}/h each (the market paid {}), else "
            "{}",
            format_usd(each * used), format_usd(contract * used), lower(verdict));
    }
    constexpr std::string_view choice_to_buy = "Buy";
    const std::string listed =
        fmt::format("{} rented from {}", about_usd(over_life(owned, used * rented)),
                    renter_words(owned, *rent));
    const std::string against = fmt::format(
        "{}; {}", listed, turn_of(owned, *rent, is_kept(reading) ? std::nullopt : months));
    reply.headline = payback_in_words(reading, owned, rented, reply);
    if (asks(reading, "total")) {
        reply.headline += fmt::format("{}{}. {}: against {}.", total, at_price, verdict, against);
    } else if (!owned.price_dated.empty()) {
        reply.headline += fmt::format(
            "{}: {} cost {}; no price of today is known to buy one ({} in {}{}; --card-price): at "
            "that one it is {} owned{}.",
            verdict, work, listed, about_usd(owned.inputs.price_usd), owned.price_dated,
            owned.price_of_system ? ", with its share of the system" : "",
            about_usd(owned.cost.total_usd(used)), each <= rented ? ", less than rented" : "");
    } else if (!owned.utilization && buy && !is_kept(reading) && turns_by_use(*rent) &&
               verdict.starts_with(choice_to_buy)) {
        // Nobody said how busy it is: where that turns leads.
        reply.headline +=
            fmt::format("Buy, if it is busy enough{}: {}. {} cost {} owned, {}. {}",
                        verdict.size() > choice_to_buy.size()
                            ? " and" + verdict.substr(choice_to_buy.size() + 4)  // ", if"
                            : "",
                        turn_of(owned, *rent, months), work, about_usd(owned.cost.total_usd(used)),
                        listed, last_words(reading, owned, used));
    } else {
        reply.headline += fmt::format(
            "{}: {} cost {} {}, {}. {}", verdict, work, about_usd(owned.cost.total_usd(used)),
            is_kept(reading) ? "to run" : "owned", against, last_words(reading, owned, used));
    }
    reply.headline += on_demand_words(owned, *rent, each, used);
    if (contract > 0) {  // what nobody lists decides nothing, and is worth asking for
        reply.values.push_back({"contract", {}, contract * choice.count, {}, "USD/h", ""});
        reply.headline += fmt::format(
            " A contract of years would cost {} ({} each at all hours, as the market paid in {}): "
            "none is listed, ask for offers first.",
            about_usd(over_life(owned, used * contract)),
            format_usd(owned.market->usd_per_hour_rental), owned.market->date);
    }
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
    const std::string mine = fmt::format("{} x {}", count, short_name(*owned.cluster.accelerator));
    const std::string theirs = fmt::format("{} x {}", other.count, short_name(*other.accelerator));
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
    const bool buy = is_bought(owned, own_hour / count, as_much);
    reply.choice =
        AnswerChoice{.accelerator = buy ? owned.cluster.accelerator->id : other.accelerator->id,
                     .count = buy ? count : other.count,
                     .usd_per_hour = buy ? own_hour : rent_hour,
                     .why = buy ? "buy" : "rent"};
    const std::string verdict = verdict_on(reading, owned, own_hour / count, as_much, used, *rent);
    const auto turn = owned.cost.break_even(as_much);
    reply.headline = fmt::format(
        "{}: {} {} cost {} owned{}, {} {} rented from {} ({}, {}/h); with {:.2g} times the {} "
        "as much work on it costs {}; memory is {:g} GB against {:g}{}.",
        verdict, life_words(owned.cost.years) + " of " + mine, busy_words(used),
        about_usd(owned.cost.total_usd(used)),
        reading.owned ? std::string() : fmt::format(" ({})", parts_words(owned, used)), theirs,
        about_usd(over_life(owned, used * rent_hour / count)), rent->offer->provider,
        name_of(rent->offer->kind), format_usd(rent->usd_per_accelerator_hour * count), faster,
        trains ? "matrix rate" : "memory bandwidth", about_usd(over_life(owned, used * as_much)),
        count * owned.cluster.accelerator->marketed_gb,
        other.count * other.accelerator->marketed_gb,
        turn && *turn >= 0.01 && *turn <= 1 ? "; owning pays above " + turning_use(*turn) : "");
    if (rent->break_even) {
        reply.values.push_back({"break_even", {}, *rent->break_even, {}, "share of hours", ""});
    }
    return reply;
}

}  // namespace ridgeline
