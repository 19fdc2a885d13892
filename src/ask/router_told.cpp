#include "advise/answers/answer.h"
#include "advise/figure_words.h"
#include "advise/hardware/desk.h"
#include "advise/hardware/offers.h"
#include "ask/router.h"
#include "base/text.h"

#include <fmt/format.h>

#include <string>

// What is told of an option beside its figures: energy, bills, the price of a module.

namespace ridgeline::ask {

std::string Router::asked_besides(const Option& best) const {
    const CostEstimate& cost = best.estimate.cost;
    std::string words;
    if (reading_.objective == Objective::energy && best.value) {
        words +=
            fmt::format(" It takes {} {} at the wall{}.", figure_words(*best.value),
                        has_length(best) ? "kWh" : objective_unit(asked_.query, best),
                        asks(reading_, "carbon") ? ": " + carbon_words(reading_, *best.value) : "");
    }
    words += reading_.copies.value_or(1) > 1 ? "" : run_of_each(best);
    const bool month = asks(reading_, "per_month");
    if (asked_.query.requests_per_s && reading_.task == Task::inference && cost.usd_per_hour > 0 &&
        !asked_.query.buy) {
        words += fmt::format(
            " That is {} a day{}.", format_usd(24 * cost.usd_per_hour),
            reading_.months || month
                ? ""
                : fmt::format(", {} a month", format_usd(hours_of_a_month * cost.usd_per_hour)));
    }
    return words;
}

void Router::lead_with_bill(const Option& best, Answer& reply) const {
    const double hour = best.estimate.cost.usd_per_hour;
    if (!(reading_.months || asks(reading_, "per_month")) || hour <= 0 || asked_.query.buy) {
        return;
    }
    const double months = reading_.months.value_or(1);
    const double day = reading_.hours_per_day.value_or(24);
    const double usd = hour * months * hours_of_a_month * day / 24;
    reply.values.insert(reply.values.begin(), {"bill", {}, usd, {}, "USD", ""});
    const std::string period = months == 1 ? "a month" : fmt::format("for {:g} months", months);
    const std::string words =
        fmt::format("{} {} of {:g} hours a day", format_usd(usd), period, day);
    reply.headline = reply.verdict.empty() ? words + ": " + reply.headline
                                           : reply.headline + " That is " + words + ".";
}

std::string Router::module_price(const Option& best) const {
    const Accelerator& part = *best.cluster.accelerator;
    const auto price = purchase_price(world_.catalog, part);
    if (!is_embedded(part) || !price || asked_.query.owned) {
        return "";
    }
    const bool old = price->date.substr(0, 4) < world_.catalog.offers_date.substr(0, 4);
    return old ? fmt::format(
                     " That is its list price of {}: ask what it is today. It draws up to {:.0f} "
                     "W.",
                     price->date, part.tdp / watt)
               : fmt::format(" It draws up to {:.0f} W.", part.tdp / watt);
}

}  // namespace ridgeline::ask
