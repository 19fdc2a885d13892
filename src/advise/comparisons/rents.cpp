#include "advise/comparisons/rents.h"

#include "advise/comparisons/side.h"
#include "advise/figure_words.h"
#include "advise/hardware/offers.h"
#include "base/order.h"
#include "base/text.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline {

std::optional<Answer> reply_compared_rents(const Reading& reading, const AnswerTools& tools) {
    struct Rent {
        const ReadSide* side;
        const Offer* offer;
    };
    std::vector<Rent> rents;
    for (const ReadSide& side : reading.sides) {
        Reading one = reading;
        one.accelerators = side.ids;
        one.count = side.count;
        if (!side.provider.empty()) {
            one.providers = {side.provider};
        }
        one.price_kind = side.price_kind.empty() ? reading.price_kind : side.price_kind;
        one.instances = side.instance.empty() ? std::vector<std::string>{}
                                              : std::vector<std::string>{side.instance};
        const auto offers = offers_of(one, tools.knowledge.catalog);
        const Offer* instance = offer_of_instance(tools.knowledge.catalog, side);
        // What is taken away at any time stands for no price while there is another.
        const auto lasting = std::ranges::find_if(
            offers, [](const Offer* each) { return each->kind != PriceKind::spot; });
        const bool spot = one.price_kind == "spot" || lasting == offers.end();
        if (!offers.empty()) {
            rents.push_back({&side, instance != nullptr && !spot ? instance
                                    : spot                       ? offers.front()
                                                                 : *lasting});
        }
    }
    if (rents.size() < 2) {
        return std::nullopt;
    }
    stable_order(rents.begin(), rents.end(), [](const Rent& a, const Rent& b) {
        return a.offer->usd_per_accelerator_hour() < b.offer->usd_per_accelerator_hour();
    });
    const auto words = [](const Rent& rent) {
        const Offer& offer = *rent.offer;
        const std::string whole =
            offer.count > 1
                ? fmt::format(", {}/h for {}", format_usd(offer.usd_per_hour), offer.count)
                : "";
        return fmt::format("{} ({}{}{}, {} {})", offer.accelerator, offer.provider,
                           offer.instance_type.empty() ? "" : ", " + offer.instance_type, whole,
                           name_of(offer.kind), offer.date);
    };
    const double low = rents.front().offer->usd_per_accelerator_hour();
    const double high = rents.back().offer->usd_per_accelerator_hour();
    Answer reply;
    reply.choice = AnswerChoice{.accelerator = rents.front().offer->accelerator,
                                .count = rents.front().offer->count,
                                .usd_per_hour = rents.front().offer->usd_per_hour};
    for (const Rent& rent : rents) {
        const double each = rent.offer->usd_per_accelerator_hour();
        reply.values.push_back({"rent", {}, each, {}, "USD/h", words(rent)});
    }
    reply.headline =
        high / low < same_rate_within
            ? fmt::format("{} and {} cost about the same, {} for each accelerator hour.",
                          words(rents.front()), words(rents.back()), format_usd(low))
            : fmt::format("{} is cheaper: {} for each accelerator hour against {} of {}.",
                          words(rents.front()), format_usd(low), format_usd(high),
                          words(rents.back()));
    return reply;
}

}  // namespace ridgeline
