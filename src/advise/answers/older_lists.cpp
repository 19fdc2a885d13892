#include "advise/answers/cheaper_provider.h"
#include "advise/answers/rents.h"
#include "base/lists.h"
#include "base/text.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>

// Providers whose price lists are older than those that an answer takes its rents from.

namespace ridgeline {

std::string older_lists(const Reading& reading, const std::vector<const Offer*>& offers,
                        const Catalog& catalog) {
    constexpr std::size_t most_told = 5;
    if (!reading.providers.empty() || !reading.instances.empty() || offers.empty()) {
        return {};
    }
    // Who lists it today is told; what a provider lists stands where it is asked for, however old.
    Reading older = reading;
    for (const Offer& offer : catalog.offers) {
        const bool told = std::ranges::any_of(
            offers, [&](const Offer* each) { return each->provider == offer.provider; });
        if (!told && !is_among(offer.provider, reading.providers_excluded)) {
            add_once(older.providers, offer.provider);
        }
    }
    if (older.providers.empty()) {
        return {};
    }
    struct Range {
        const Offer* low = nullptr;
        const Offer* high = nullptr;
    };
    std::vector<Range> ranges;  // cheapest first, as the offers are
    auto others = offers_of(older, catalog);
    const bool dearer = !keep_to_limit(reading, others).empty();
    std::erase_if(
        others, [&](const Offer* offer) { return dearer || offer->date >= offers.front()->date; });
    for (const Offer* offer : others) {
        const bool lasts = offer->kind != PriceKind::spot || reading.price_kind == "spot";
        const auto known = std::ranges::find_if(
            ranges, [&](const Range& each) { return each.low->provider == offer->provider; });
        if (lasts && known == ranges.end()) {
            ranges.push_back({offer, offer});
        } else if (lasts) {
            known->high = offer;
        }
    }
    std::string words;
    for (std::size_t i = 0; i < std::min(ranges.size(), most_told); ++i) {
        const auto& [low, high] = ranges[i];
        const double dearest = hour_of(reading, *high);
        words += fmt::format(
            "{}{} {}{}/h{} ({}, {}{})", i == 0 ? "; older lists: " : ", ", low->provider,
            format_usd(hour_of(reading, *low)),
            dearest > 1.01 * hour_of(reading, *low) ? fmt::format(" to {}", format_usd(dearest))
                                                    : std::string(),
            reading.count.value_or(1) > 1 ? "" : " each", name_of(low->kind), low->date,
            low->count > reading.count.value_or(1) ? fmt::format(", in machines of {}", low->count)
                                                   : std::string());
    }
    return words + (ranges.size() > most_told
                        ? fmt::format(" and {} more", ranges.size() - most_told)
                        : std::string());
}

}  // namespace ridgeline
