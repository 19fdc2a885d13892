#include "advise/offers.h"

#include "base/text.h"
#include "spec/mig.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>

namespace ridgeline {
namespace {

std::string_view name_of(PriceKind kind) {
    switch (kind) {
        case PriceKind::on_demand:
            return "on_demand";
        case PriceKind::spot:
            return "spot";
        case PriceKind::reserved:
            return "reserved";
        case PriceKind::marketplace:
            return "marketplace";
    }
    return "";
}

double rent(const Offer& offer, int count) {
    return std::ceil(static_cast<double>(count) / offer.count) * offer.usd_per_hour;
}

// Lower is better; rented separately, accelerators are not known to be linked.
struct Preference {
    int kind = 0;
    int split = 0;
    double usd_per_hour = std::numeric_limits<double>::infinity();
    auto operator<=>(const Preference&) const = default;
};

std::optional<std::chrono::sys_days> date_of(std::string_view text) {
    if (text.size() < 10 || text[4] != '-' || text[7] != '-') {
        return std::nullopt;
    }
    int numbers[3] = {};
    const std::size_t starts[3] = {0, 5, 8};
    const std::size_t lengths[3] = {4, 2, 2};
    for (int i = 0; i < 3; ++i) {
        const char* begin = text.data() + starts[i];
        const auto parsed = std::from_chars(begin, begin + lengths[i], numbers[i]);
        if (parsed.ptr != begin + lengths[i]) {
            return std::nullopt;
        }
    }
    const std::chrono::year_month_day date{std::chrono::year{numbers[0]},
                                           std::chrono::month{static_cast<unsigned>(numbers[1])},
                                           std::chrono::day{static_cast<unsigned>(numbers[2])}};
    return date.ok() ? std::optional(std::chrono::sys_days{date}) : std::nullopt;
}

/// Is the provider the one that is wanted, or none of those that are not ("!aws,!gcp")?
bool provider_allowed(std::string_view wanted, const std::string& provider) {
    if (!wanted.starts_with('!')) {
        return wanted.empty() || provider == wanted;
    }
    const auto excluded = split(wanted, ',');
    return std::find(excluded.begin(), excluded.end(), "!" + provider) == excluded.end();
}

}  // namespace

const Offer* cheapest_offer(const Catalog& catalog,
                            const Query& query,
                            const Accelerator& accelerator,
                            int count,
                            int per_node) {
    const std::string_view card = card_of(accelerator.id);
    count = cards_of(accelerator, count);
    const Offer* best = nullptr;
    Preference best_preference;
    for (const Offer& offer : catalog.offers) {
        if (offer.accelerator != card || offer.count < 1 || offer.usd_per_hour <= 0 ||
            !provider_allowed(query.provider, offer.provider) ||
            (!query.region.empty() && lower(offer.region) != lower(query.region))) {
            continue;
        }
        Preference preference;
        if (!query.price_kind.empty()) {
            if (name_of(offer.kind) != query.price_kind) {
                continue;
            }
        } else if (offer.kind == PriceKind::marketplace) {
            preference.kind = 1;
        } else if (offer.kind != PriceKind::on_demand) {
            continue;
        }
        preference.split = offer.count < std::min(count, per_node) ? 1 : 0;
        if (preference.split > 0 && count > per_node) {
            continue;
        }
        preference.usd_per_hour = rent(offer, count);
        if (best == nullptr || preference < best_preference) {
            best = &offer;
            best_preference = preference;
        }
    }
    return best;
}

const ListedPrice* purchase_price(const Accelerator& accelerator) {
    const ListedPrice* best = nullptr;
    int best_order = 99;
    for (const ListedPrice& price : accelerator.prices) {
        const std::string kind = lower(price.kind);
        const auto says = [&kind](std::string_view word) {
            return kind.find(word) != std::string::npos;
        };
        if (says("cloud") || says("hour") || price.usd <= 0) {
            continue;
        }
        const int order = says("street") ? 0 : says("msrp") ? 1 : says("used") ? 3 : 2;
        if (order < best_order) {
            best = &price;
            best_order = order;
        }
    }
    return best;
}

std::optional<long> days_between(std::string_view from, std::string_view to) {
    const auto begin = date_of(from);
    const auto end = date_of(to);
    if (!begin || !end) {
        return std::nullopt;
    }
    return (*end - *begin).count();
}

}  // namespace ridgeline
