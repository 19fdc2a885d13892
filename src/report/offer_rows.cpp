#include "report/offer_rows.h"

#include "advise/hardware/listings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ridgeline::report {

std::vector<OfferRow> offer_rows(const std::vector<const Offer*>& offers) {
    std::vector<OfferRow> rows;
    for (const Offer* offer : offers) {
        const auto same = std::find_if(rows.begin(), rows.end(), [offer](const OfferRow& row) {
            return same_listing(*row.first, *offer) && row.counts.back() < offer->count;
        });
        if (same == rows.end()) {
            rows.push_back({offer, offer, {offer->count}});
        } else {
            same->counts.push_back(offer->count);
            same->last = offer;
        }
    }
    return rows;
}

std::string counts_words(const OfferRow& row) {
    const std::vector<int>& counts = row.counts;
    const bool all =
        counts.size() > 2 && counts.back() - counts.front() + 1 == static_cast<int>(counts.size());
    return all ? fmt::format("{}-{}", counts.front(), counts.back())
               : fmt::format("{}", fmt::join(counts, ","));
}

std::string hours_words(const OfferRow& row) {
    return row.first == row.last
               ? fmt::format("{:.2f}", row.first->usd_per_hour)
               : fmt::format("{:.2f}-{:.2f}", row.first->usd_per_hour, row.last->usd_per_hour);
}

}  // namespace ridgeline::report
