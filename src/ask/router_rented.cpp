#include "advise/answers/cheaper_provider.h"
#include "advise/figure_words.h"
#include "advise/hardware/offers.h"
#include "ask/router.h"
#include "base/text.h"

#include <fmt/format.h>

#include <cctype>
#include <cmath>

// What renting the choice comes to: how long a sum pays for it, each kind of rent of it.

namespace ridgeline::ask {

std::string Router::hours_of_sum(const Answer& reply) const {
    const double hour = reply.choice ? reply.choice->usd_per_hour.value_or(0) : 0;
    const bool served = reading_.task == Task::inference && !reading_.tokens && !reading_.samples &&
                        !reading_.audio_s && !reading_.counts_samples;
    if (!reading_.budget_usd || asked_.query.buy || !served || hour <= 0) {
        return "";
    }
    const double hours = *reading_.budget_usd / hour;
    return fmt::format(" {} pay for {} hours of it, {:.2g} days.", format_usd(*reading_.budget_usd),
                       figure_words(hours), hours / 24);
}

std::string Router::kinds_of_choice(const Answer& reply) const {
    if (reading_.alternatives_of != "price_kind" || !reply.choice || asked_.query.buy) {
        return "";
    }
    const Accelerator* part = world_.catalog.accelerator(reply.choice->accelerator);
    std::string words;
    for (const std::string& kind : reading_.alternatives) {
        Query query = asked_.query;
        query.price_kind = kind;
        const int count = reply.choice->count;
        const Offer* offer =
            part == nullptr ? nullptr : cheapest_offer(world_.catalog, query, *part, count, count);
        const double machines =
            offer == nullptr ? 0 : std::ceil(static_cast<double>(count) / offer->count);
        words += (words.empty() ? " " : ", ") + kind_in_words(kind) +
                 (offer == nullptr
                      ? " it is not listed"
                      : fmt::format(" it is {}/h ({})", format_usd(machines * offer->usd_per_hour),
                                    offer->provider));
    }
    const bool waits = reading_.task == Task::inference && !reading_.tokens && !reading_.samples;
    words[1] = static_cast<char>(std::toupper(static_cast<unsigned char>(words[1])));
    return words + (waits ? "; spot may be taken away at any time, which who waits for an answer "
                            "notices: on demand, unless copies elsewhere go on."
                          : "; spot may be taken away at any time, which a run bears that keeps "
                            "checkpoints.");
}

}  // namespace ridgeline::ask
