#include "advise/answers/own.h"

#include "advise/answers/own_words.h"
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

/// Of what no price of today is known: the last that is known decides, and the price at which that
/// turns stands beside it.
std::string without_price_of_today(const Reading& reading, const OwnershipAnswer& owned,
                                   const std::string& verdict, const std::string& listed,
                                   std::optional<double> months) {
    const RentedInstead& rent = *least_rent(owned);
    const double used = use_of(owned);
    const double rented = rented_hour(rent, used);
    const double each = owned.cost.per_delivered_hour(used);
    const std::string work = work_words(owned, used);
    const std::string turn = turn_of(owned, rent, months, same_cost(each, rented));
    if (each > rented || owned.price_doubtful) {
        return fmt::format("{}: {} cost {}; at {} it is {} owned, and {}.", verdict, work, listed,
                           old_price_words(owned), about_usd(owned.cost.total_usd(used)), turn);
    }
    const std::string offers = offers_that_turn(owned, rented, used);
    return fmt::format("{}, at {}: {}. {} cost {} owned, {}{}. {}", verdict, old_price_words(owned),
                       turn, work, about_usd(owned.cost.total_usd(used)), listed,
                       offers.empty() ? std::string() : "; it pays where " + offers,
                       last_words(reading, owned, used));
}

/// Nobody lists a rate for years: what the market paid, for each hour of work, where it is less
/// than the least rent that is known and the months are that many; else 0. It is paid at all hours.
double contract_of_years(const Reading& reading, const OwnershipAnswer& owned,
                         const RentedInstead& rent, double used) {
    constexpr double months_of_contract = 36;
    const double contract = owned.market != nullptr ? owned.market->usd_per_hour_rental / used : 0;
    const bool weighed = reading.months.value_or(0) >= months_of_contract &&
                         (reading.providers.empty() || reading.price_kind == "reserved") &&
                         !reading.usd_per_hour && rent.offer->kind != PriceKind::reserved &&
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

/// What was found of owning beside renting, before it is told.
struct Weighed {
    const OwnershipAnswer& owned;
    const RentedInstead& rent;
    double used = 0;      ///< share of the hours
    double each = 0;      ///< USD an hour of work, owned
    double rented = 0;    ///< the same, rented
    double contract = 0;  ///< the same by a contract of years; 0: none is known
    bool buy = false;
    std::optional<double> months{};  ///< until it is paid back
    std::string work{};
};

/// Nobody said how busy it is, and owning pays near full use alone.
bool needs_full_use(const Reading& reading, const OwnershipAnswer& owned,
                    const RentedInstead& rent) {
    constexpr double nearly_full = 0.7;
    // A rent that is paid is paid at all hours.
    return !owned.utilization && !is_kept(reading) && !reading.usd_per_hour &&
           !reading.usd_per_month && turns_by_use(rent) && *rent.break_even > nearly_full;
}

/// "Rent, unless one is offered for $1,100 or less (its price of 2021-05 was $1,000: at that,
/// buy)": a price that nobody asks today turns no verdict.
std::string unless_offered(const Weighed& weighed) {
    const OwnershipAnswer& owned = weighed.owned;
    const std::string offers = offers_that_turn(owned, weighed.rented, weighed.used);
    return fmt::format("Rent{} ({} of {} was {} each{}: at that, buy)",
                       offers.empty() ? "" : ", unless " + offers,
                       owned.price_estimated ? "an estimate" : "its price", owned.price_dated,
                       about_usd(owned.inputs.price_usd),
                       owned.price_of_system ? " with its share of the system" : "");
}

/// The verdict; "Reserve, if ... is offered below ..., else buy" where a contract would be less.
std::string verdict_beside_contract(const Reading& reading, const Weighed& weighed) {
    const std::string verdict = verdict_on(reading, weighed.owned, weighed.each, weighed.rented,
                                           weighed.used, weighed.rent);
    const double contract = weighed.contract;
    const bool by_contract = contract > 0 && contract < weighed.each;
    if (weighed.owned.price_doubtful && weighed.each <= weighed.rented && !is_kept(reading)) {
        return unless_offered(weighed);
    }
    if (!by_contract && verdict.starts_with("Buy") &&
        needs_full_use(reading, weighed.owned, weighed.rent)) {
        constexpr std::string_view if_sold = "Buy, if ";
        return fmt::format("Rent, unless it is busy above {:.0f} %{}",
                           100 * *weighed.rent.break_even,
                           verdict.starts_with(if_sold) ? " and " + verdict.substr(if_sold.size())
                                                        : std::string());
    }
    return by_contract && verdict.starts_with("Buy")
               ? fmt::format(
                     "Reserve, if a contract of years is offered below {}/h each (the "
                     "market paid {}), else {}",
                     format_usd(weighed.each * weighed.used), format_usd(contract * weighed.used),
                     lower(verdict))
               : verdict;
}

/// The verdict with both costs. total  "Owning ... costs ... an hour"
std::string verdict_in_words(const Reading& reading, const Weighed& weighed,
                             const std::string& total) {
    const OwnershipAnswer& owned = weighed.owned;
    constexpr std::string_view choice_to_buy = "Buy";
    const std::string verdict = verdict_beside_contract(reading, weighed);
    // Used ones were asked for: what they would cost is not known.
    const std::string as_new = owned.only_new ? " (at the price of new ones)" : "";
    const std::string cost = about_usd(owned.cost.total_usd(weighed.used));
    const std::string listed =
        fmt::format("{} rented from {}", about_usd(over_life(owned, weighed.used * weighed.rented)),
                    renter_words(owned, weighed.rent));
    const std::string against =
        fmt::format("{}; {}", listed,
                    turn_of(owned, weighed.rent, is_kept(reading) ? std::nullopt : weighed.months,
                            same_cost(weighed.each, weighed.rented)));
    if (asks(reading, "total")) {
        return fmt::format("{}. {}{}: against {}.", total, verdict, as_new, against);
    }
    if (!owned.price_dated.empty()) {
        return without_price_of_today(reading, owned, verdict + as_new, listed, weighed.months);
    }
    const std::string last = last_words(reading, owned, weighed.used);
    if (!owned.utilization && weighed.buy && !is_kept(reading) && turns_by_use(weighed.rent) &&
        verdict.starts_with(choice_to_buy)) {
        // Nobody said how busy it is: where that turns leads.
        return fmt::format("Buy, if it is busy enough{}{}: {}. {} cost {} owned, {}. {}",
                           verdict.size() > choice_to_buy.size()
                               ? " and" + verdict.substr(choice_to_buy.size() + 4)  // ", if"
                               : "",
                           as_new, turn_of(owned, weighed.rent, weighed.months), weighed.work, cost,
                           listed, last);
    }
    return fmt::format("{}{}: {} cost {} {}, {}. {}", verdict, as_new, weighed.work, cost,
                       is_kept(reading) ? "to run" : "owned", against, last);
}

/// What renting costs, where owning turns and when it is paid back.
void add_rent_values(const Weighed& weighed, int count, Answer& reply) {
    reply.values.push_back({"renting", {}, weighed.rented * count, {}, "USD/h", ""});
    reply.values.push_back({"total_rented",
                            {},
                            over_life(weighed.owned, weighed.used * weighed.rented),
                            {},
                            "USD",
                            ""});
    if (weighed.rent.break_even) {
        reply.values.push_back(
            {"break_even", {}, *weighed.rent.break_even, {}, "share of hours", ""});
    }
    if (weighed.months) {
        reply.values.push_back({"payback", {}, *weighed.months, {}, "months", ""});
    }
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
    const std::string offers =
        rent == nullptr ? std::string() : offers_that_turn(owned, rented_hour(*rent, used), used);
    return rent == nullptr  ? std::string()
           : offers.empty() ? std::string("Rent")
                            : "Rent, unless " + offers;
}

Answer reply_own(const Reading& reading, const OwnershipAnswer& owned) {
    Answer reply;
    const double used = use_of(owned);
    const RentedInstead* rent = least_rent(owned);
    const int count = owned.cluster.count;
    const double each = owned.cost.per_delivered_hour(used);
    const std::string work = work_words(owned, used);
    const std::string total =
        fmt::format("Owning {} costs {} an hour{}{}, {} in all ({}){}", work, format_usd(each),
                    used < 1 ? " of work" : "", count > 1 ? " for each" : "",
                    about_usd(owned.cost.total_usd(used)), parts_words(owned, used),
                    owned.price_dated.empty() || !owned.price_age.empty()
                        ? ""
                        : fmt::format(" at its price of {}", owned.price_dated));
    reply.values = {{"owning", {}, each * count, {}, "USD/h", ""},
                    {"total", {}, owned.cost.total_usd(used), {}, "USD", ""}};
    if (rent == nullptr) {
        reply.headline = fmt::format("{}; no rent of it is known.", total);
        return reply;
    }
    const double rented = rented_hour(*rent, used);
    Weighed weighed{.owned = owned,
                    .rent = *rent,
                    .used = used,
                    .each = each,
                    .rented = rented,
                    .contract = contract_of_years(reading, owned, *rent, used),
                    .buy = false,
                    .months = owned.cost.payback_months(rented, used),
                    .work = work};
    weighed.buy = each <= rented && !verdict_beside_contract(reading, weighed).starts_with("Rent");
    // What the bill says of a rent; the hour of work stands among the values.
    reply.choice = AnswerChoice{
        .accelerator = owned.cluster.accelerator->id,
        .count = count,
        .usd_per_hour = count * (weighed.buy ? each : rent->offer->usd_per_accelerator_hour()),
        .why = weighed.buy ? "buy" : "rent"};
    add_rent_values(weighed, count, reply);
    reply.headline = payback_in_words(reading, owned, rented, reply);
    reply.headline += verdict_in_words(reading, weighed, total);
    reply.headline += on_demand_words(owned, *rent, each, used);
    if (weighed.contract > 0) {  // what nobody lists decides nothing, and is worth asking for
        reply.values.push_back({"contract", {}, weighed.contract * count, {}, "USD/h", ""});
        reply.headline += fmt::format(
            " A contract of years would cost {} ({} each at all hours, as the market paid in {}): "
            "none is listed, ask for offers first.",
            about_usd(over_life(owned, used * weighed.contract)),
            format_usd(owned.market->usd_per_hour_rental), owned.market->date);
    }
    return reply;
}

}  // namespace ridgeline
