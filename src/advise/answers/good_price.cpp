#include "advise/answers/answer.h"
#include "advise/hardware/cluster.h"
#include "advise/hardware/offers.h"
#include "advise/hardware/ownership.h"
#include "base/order.h"
#include "base/text.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

// Whether a rent or a price that somebody was told is a good one, beside those that are listed.

namespace ridgeline {
namespace {

constexpr double about_the_same = 0.1;  // of the middle: lists of one week differ by as much

/// "Cheaper than usual", "Dearer than usual", "About the usual price", with the share between them.
std::string judgement(double usd, double middle) {
    const double share = usd / middle - 1;
    return std::abs(share) <= about_the_same
               ? std::string("About the usual")
               : fmt::format("{} than usual, by {:.0f} %", share < 0 ? "Cheaper" : "Dearer",
                             100 * std::abs(share));
}

/// The least rent of an accelerator hour of each provider and part that lasts, spot where it was
/// asked for, cheapest first: one that lists every region of its own tells no more than another.
std::vector<const Offer*> comparable(const Reading& reading, std::span<const Offer* const> offers) {
    std::vector<const Offer*> list;
    std::copy_if(offers.begin(), offers.end(), std::back_inserter(list), [&](const Offer* offer) {
        return offer->kind != PriceKind::spot || reading.price_kind == "spot";
    });
    stable_order(list.begin(), list.end(), [](const Offer* a, const Offer* b) {
        return std::pair(a->usd_per_accelerator_hour(), a->id) <
               std::pair(b->usd_per_accelerator_hour(), b->id);
    });
    std::vector<const Offer*> each;
    for (const Offer* offer : list) {
        const bool known = std::ranges::any_of(each, [&](const Offer* other) {
            return other->provider == offer->provider && other->accelerator == offer->accelerator &&
                   other->kind == offer->kind;
        });
        if (!known) {
            each.push_back(offer);
        }
    }
    return each;
}

Answer judged_rent(double usd, const std::vector<const Offer*>& list) {
    const Offer& cheapest = *list.front();
    const Offer& middle = *list[(list.size() - 1) / 2];
    const auto [first, last] = std::minmax_element(
        list.begin(), list.end(), [](const Offer* a, const Offer* b) { return a->date < b->date; });
    const auto below = std::ranges::count_if(
        list, [&](const Offer* offer) { return offer->usd_per_accelerator_hour() < usd; });
    Answer reply;
    reply.values.push_back({"rent", cheapest.usd_per_accelerator_hour(),
                            middle.usd_per_accelerator_hour(),
                            list.back()->usd_per_accelerator_hour(), "USD/h", ""});
    reply.headline = fmt::format(
        "{}: {} an hour against {} in the middle of {} rents ({} to {}), dated {} to {}; {} {}, "
        "the cheapest {} at {}/h ({}, {}).",
        judgement(usd, middle.usd_per_accelerator_hour()), format_usd(usd),
        format_usd(middle.usd_per_accelerator_hour()), list.size(),
        format_usd(cheapest.usd_per_accelerator_hour()),
        format_usd(list.back()->usd_per_accelerator_hour()), (*first)->date, (*last)->date,
        below == 0 ? std::string("none") : std::to_string(below),
        below == 1 ? "is cheaper" : "are cheaper", cheapest.accelerator,
        format_usd(cheapest.usd_per_accelerator_hour()), cheapest.provider, name_of(cheapest.kind));
    return reply;
}

/// By the purchase price of the first part that has one; a machine holds its server too.
Answer judged_purchase(const Reading& reading, double usd, const Catalog& catalog) {
    Answer reply;
    for (const std::string& id : reading.accelerators) {
        const Accelerator* part = catalog.accelerator(id);
        const auto price = part == nullptr ? std::nullopt : purchase_price(catalog, *part);
        if (!price) {
            continue;
        }
        const int count = reading.count.value_or(1);
        const auto whole = reading.machine.empty() || price->basis == PurchaseBasis::system
                               ? std::nullopt
                               : capex_usd(make_cluster(catalog, *part, count), catalog);
        if (whole) {
            reply.values.push_back({"purchase", {}, *whole, {}, "USD", reading.machine});
            reply.headline = fmt::format(
                "{}: {} against about {} for {} x {} with {} ({}).", judgement(usd * count, *whole),
                format_usd(usd * count), format_usd(std::round(*whole / 1000) * 1000), count, id,
                count > cards_of_node ? "servers" : "its server", purchase_words(*price));
            return reply;
        }
        const std::string range =
            price->low < price->high
                ? fmt::format(" ({} to {})", format_usd(price->low), format_usd(price->high))
                : "";
        reply.values.push_back({"purchase", price->low, price->usd_each, price->high, "USD", id});
        reply.headline = fmt::format(
            "{}: {} against {}{} for one {}, {}.",
            price->current ? judgement(usd, price->usd_each) : "No price of today is known",
            format_usd(usd), format_usd(price->usd_each), range, id, purchase_words(*price));
        if (asks(reading, "used") && !price->used) {
            reply.headline += " No price of a used one is known.";
        }
        return reply;
    }
    reply.headline =
        fmt::format("No price of {} is known to hold it against.", reading.accelerators.front());
    return reply;
}

}  // namespace

Answer reply_good_price(const Reading& reading, std::span<const Offer* const> offers,
                        const Catalog& catalog) {
    const auto list = comparable(reading, offers);
    const int count = reading.count.value_or(1);
    if (!reading.usd_per_hour) {
        return judged_purchase(reading, reading.budget_usd.value_or(0) / count, catalog);
    }
    if (list.empty()) {
        Answer reply;
        reply.headline = fmt::format("No rent of {} is listed to hold it against.",
                                     reading.accelerators.front());
        return reply;
    }
    // "8 h100 at $2/h": so little is the rent of one.
    const double of_all = *reading.usd_per_hour / count;
    const bool each = of_all < list.front()->usd_per_accelerator_hour() / 2;
    Answer reply = judged_rent(each ? *reading.usd_per_hour : of_all, list);
    reply.choice = AnswerChoice{.accelerator = list.front()->accelerator,
                                .count = list.front()->count,
                                .usd_per_hour = list.front()->usd_per_hour,
                                .why = "the cheapest that is listed"};
    return reply;
}

}  // namespace ridgeline
