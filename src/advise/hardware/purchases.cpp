#include "advise/hardware/offers.h"
#include "base/order.h"
#include "base/text.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <tuple>
#include <vector>

// What one accelerator costs to buy: dealings, and what its maker, shops and estimates ask.

namespace ridgeline {
namespace {

int year_of(std::string_view date) {
    int year = 0;
    std::from_chars(date.data(), date.data() + std::min<std::size_t>(4, date.size()), year);
    return year;
}

// Lower is better.
int order_of_listing(std::string_view kind) {
    const auto says = [kind](std::string_view word) {
        return kind.find(word) != std::string_view::npos;
    };
    return says("used") ? 9 : says("street") ? 1 : says("typical") ? 2 : 3;
}

/// Whether somebody sells for it: not for a list price that its maker withdrew, nor for an
/// estimate.
bool is_asked(std::string_view kind) {
    return kind.find("withdrawn") == std::string_view::npos && !kind.starts_with("estimate");
}

/// Months since year 0 of a date as a source states it: "2026-05", "2026-Q1", "2026" (of its
/// January).
int month_of(std::string_view date) {
    int month = 1;
    if (date.size() > 6 && date[4] == '-') {
        const bool quarter = date[5] == 'Q';
        const char* begin = date.data() + (quarter ? 6 : 5);
        std::from_chars(begin, date.data() + 7, month);
        month *= quarter ? 3 : 1;
    }
    return 12 * year_of(date) + month;
}

// Prices that are older than the newest by more than a quarter no longer say what is paid.
constexpr int months_beside = 3;

struct Listing {
    PurchasePrice price;
    int year = 0;
    int order = 0;
};

// What is no longer asked after what is, used after new, an estimate of a module after one of the
// whole that it is sold in, unless that is more than a year older, old after recent, worse kinds
// after better ones.
std::tuple<bool, bool, bool, int, int> worth(const Listing& listing, int month_of_whole) {
    constexpr int months_to_trust = 12;
    const bool outdated =
        month_of_whole > 0 && month_of(listing.price.date) > month_of_whole + months_to_trust;
    const bool of_part = listing.price.basis == PurchaseBasis::card &&
                         listing.price.kind.starts_with("estimate") && !outdated;
    return {!listing.price.current, listing.price.used, of_part, -listing.year, listing.order};
}

std::vector<Listing> listings_of(const Catalog& catalog, const Accelerator& accelerator) {
    std::vector<Listing> list;
    for (const ListedPrice& listed : accelerator.prices) {
        const std::string kind = lower(listed.kind);
        if (kind.find("cloud") != std::string::npos || kind.find("hour") != std::string::npos ||
            listed.usd <= 0) {
            continue;
        }
        const double high = listed.usd_high.value_or(listed.usd);
        const int order = order_of_listing(kind);
        list.push_back({{.usd_each = (listed.usd + high) / 2,
                         .low = listed.usd,
                         .high = high,
                         .basis = PurchaseBasis::card,
                         .used = order == 9,
                         .current = false,
                         .kind = listed.kind,
                         .date = listed.date,
                         .source = listed.source},
                        year_of(listed.date),
                        order});
    }
    // A rack is listed as one, and is the same part.
    for (const Machine& machine : catalog.machines) {
        if (machine.accelerator != accelerator.id || machine.accelerators < 1) {
            continue;
        }
        for (const ListedPrice& listed : machine.prices) {
            const double high = listed.usd_high.value_or(listed.usd);
            list.push_back({{.usd_each = (listed.usd + high) / 2 / machine.accelerators,
                             .low = listed.usd / machine.accelerators,
                             .high = high / machine.accelerators,
                             .basis = PurchaseBasis::system,
                             .used = false,
                             .current = false,
                             .kind = listed.kind,
                             .date = listed.date,
                             .source = listed.source},
                            year_of(listed.date),
                            order_of_listing(lower(listed.kind))});
        }
    }
    for (const Purchase* bought : catalog.ownership.recent_purchases(accelerator.id)) {
        const std::string basis(name_of(bought->basis));
        list.push_back({{.usd_each = bought->usd_each,
                         .low = bought->usd_each,
                         .high = bought->usd_each,
                         .basis = bought->basis,
                         .used = false,
                         .current = false,
                         .kind = bought->note.empty() ? basis : basis + "; " + bought->note,
                         .date = bought->date,
                         .source = bought->source},
                        year_of(bought->date),
                        0});
    }
    return list;
}

}  // namespace

std::optional<PurchasePrice> purchase_price(const Catalog& catalog, const Accelerator& accelerator,
                                            std::optional<bool> used) {
    std::vector<Listing> list = listings_of(catalog, accelerator);
    std::erase_if(list,
                  [used](const Listing& listing) { return used && listing.price.used != *used; });
    if (list.empty()) {
        return std::nullopt;
    }
    // Modules that are built into devices are sold for ten years (NVIDIA's Jetson product
    // lifecycle), at the price that their maker lists.
    const bool lasts = accelerator.id.starts_with("jetson-");
    for (Listing& listing : list) {
        listing.price.current = (lasts || listing.year >= year_of(catalog.offers_date) - 1) &&
                                is_asked(listing.price.kind);
    }
    int whole = 0;
    for (const Listing& listing : list) {
        const bool sold_whole = listing.price.basis != PurchaseBasis::card;
        whole = sold_whole ? std::max(whole, month_of(listing.price.date)) : whole;
    }
    const auto rank = [whole](const Listing& listing) { return worth(listing, whole); };
    const auto best = rank(*std::ranges::min_element(
        list, [&rank](const Listing& a, const Listing& b) { return rank(a) < rank(b); }));
    std::erase_if(list, [&](const Listing& listing) { return rank(listing) != best; });
    int newest = 0;
    for (const Listing& listing : list) {
        newest = std::max(newest, month_of(listing.price.date));
    }
    std::erase_if(list, [newest](const Listing& listing) {
        return month_of(listing.price.date) < newest - months_beside;
    });
    stable_order(list.begin(), list.end(), [](const Listing& a, const Listing& b) {
        return a.price.usd_each < b.price.usd_each;
    });
    // Of two in the middle the newer: prices move within the quarter.
    const Listing& lower = list[(list.size() - 1) / 2];
    const Listing& upper = list[list.size() / 2];
    const bool later = month_of(upper.price.date) > month_of(lower.price.date);
    PurchasePrice price = (later ? upper : lower).price;
    for (const Listing& listing : list) {
        price.low = std::min(price.low, listing.price.low);
        price.high = std::max(price.high, listing.price.high);
    }
    constexpr std::size_t with_month = 7;  // a year alone may be of any of its months
    price.months_old =
        price.date.size() >= with_month ? month_of(catalog.offers_date) - month_of(price.date) : 0;
    return price;
}

std::optional<bool> used_wanted(const std::vector<std::string>& require) {
    const auto asks = [&require](std::string_view word) {
        return std::ranges::find(require, word) != require.end();
    };
    return asks("used") ? std::optional(true) : asks("new") ? std::optional(false) : std::nullopt;
}

std::optional<bool> used_wanted(const Query& query) { return used_wanted(query.require); }

std::string purchase_words(const PurchasePrice& price) {
    const std::string kind = price.kind.substr(0, price.kind.find(';'));
    const std::string_view state = !price.used                              ? ", new"
                                   : kind.find("used") == std::string::npos ? ", used"
                                                                            : "";
    return fmt::format("{} {}{}{}", kind, dated_words(price), state,
                       price.current ? "" : ", not current");
}

std::string dated_words(const PurchasePrice& price) {
    constexpr int year = 12;
    return price.months_old > year ? fmt::format("{}, {} months old", price.date, price.months_old)
                                   : price.date;
}

}  // namespace ridgeline
