#include "advise/purchase/budget.h"

#include "advise/answers/answer.h"
#include "advise/figure_words.h"
#include "advise/hardware/offers.h"
#include "base/text.h"

#include <fmt/format.h>

#include <string>

// Replies to "what for $15,000": hardware that a sum buys, and what it rents instead.

namespace ridgeline {
namespace {

AnswerChoice rented_choice(const Rentable& rent) {
    AnswerChoice choice;
    choice.accelerator = rent.offer->accelerator;
    choice.count = rent.instances * rent.offer->count;
    choice.usd_per_hour = rent.offer->usd_per_hour * rent.instances;
    choice.why = "rent";
    return choice;
}

/// Of double precision, where what is rented computes faster than all that the sum buys: few cards
/// with units for it are sold singly, the others run it at 1/64 of their fp32 rate.
Answer rented_doubles(const Purchasable& bought, const Rentable& rent) {
    Answer reply;
    reply.choice = rented_choice(rent);
    reply.values.push_back({"fp64 rate", {}, rent.tflops, {}, "TFLOP/s", rent.offer->accelerator});
    reply.headline = fmt::format(
        "Rent {} x {} from {}: {} TFLOP/s in fp64, {:.0f} hours for that sum. No card with fp64 "
        "units has a current price: "
        "what is sold for it, {} x {} for {}, has {}.",
        reply.choice->count, rent.offer->accelerator, rent.offer->provider,
        figure_words(rent.tflops), rent.hours, bought.cluster.count,
        bought.cluster.accelerator->name, format_usd(bought.usd), figure_words(bought.tflops));
    return reply;
}

}  // namespace

Answer reply_budget(const Reading& reading, const BudgetAnswer& budget) {
    Answer reply;
    const bool by_period = reading.usd_per_hour && !reading.budget_usd;
    if (budget.rents_faster && !by_period) {
        return rented_doubles(budget.buy.front(), budget.rent.front());
    }
    if (!budget.buy.empty() && !by_period) {
        const Purchasable& best = budget.buy.front();
        AnswerChoice choice;
        choice.accelerator = best.cluster.accelerator->id;
        choice.count = best.cluster.count;
        choice.why = "buy";
        reply.choice = choice;
        reply.values.push_back({"purchase", {}, best.usd, {}, "USD", choice.accelerator});
        std::string can;
        const bool doubles = budget.in_doubles;
        if (doubles) {
            can = fmt::format("{} TFLOP/s in fp64, dense", figure_words(best.tflops));
        }
        for (const Capability& each : best.can) {
            const bool trains = !each.work.starts_with("serving");
            const bool asked = !reading.task || trains == (*reading.task != Task::inference);
            if (asked && !doubles && !each.model.empty()) {
                can += (can.empty() ? "" : ", ") + each.work + " of " + each.model;
            }
        }
        reply.headline =
            fmt::format("{} x {}{}{}", best.cluster.count, best.cluster.accelerator->name,
                        best.usd > 0 ? " for " + format_usd(best.usd) : "",
                        can.empty() ? "" : (doubles ? ": " : ": up to ") + can);
    }
    if (!budget.rent.empty()) {
        const Rentable& rent = budget.rent.front();
        const bool always = by_period && rent.hours >= hours_of_a_month;
        const double hourly = rent.offer->usd_per_hour * rent.instances;
        reply.headline += fmt::format(
            "{}{} of {} x {} rented from {}{}", reply.headline.empty() ? "" : "; or ",
            always ? "All hours"
                   : fmt::format("{:.0f} hours", rent.hours) + (by_period ? " a month" : ""),
            rent.instances * rent.offer->count, rent.offer->accelerator, rent.offer->provider,
            always ? fmt::format(" ({} a month)", format_usd(hourly * hours_of_a_month)) : "");
        if (!reply.choice) {
            reply.choice = rented_choice(rent);
        }
    }
    reply.headline += reply.headline.empty() ? "Nothing can be bought or rented for that." : ".";
    return reply;
}

}  // namespace ridgeline
