#include "advise/answers/answer.h"
#include "advise/hardware/cluster.h"
#include "advise/hardware/desk.h"
#include "advise/hardware/offers.h"
#include "base/order.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

// The cheapest hardware of a memory, to rent or to buy.

namespace ridgeline {
namespace {

constexpr std::size_t most_named = 4;

/// A part with what it costs: an hour of rent, or the price of one.
struct Priced {
    const Accelerator* part = nullptr;
    const Offer* offer = nullptr;  ///< null: the price is of buying
    double usd = 0;
};

std::string words_of(const Priced& priced) {
    const Offer* offer = priced.offer;
    return offer == nullptr
               ? fmt::format("{} ({:g} GB) for {}", priced.part->id, priced.part->marketed_gb,
                             format_usd(priced.usd))
               : fmt::format("{} ({:g} GB) at {}/h ({}{}, {})", priced.part->id,
                             priced.part->marketed_gb, format_usd(priced.usd), offer->provider,
                             offer->count > 1 ? fmt::format(", {} at once: {}/h", offer->count,
                                                            format_usd(offer->usd_per_hour))
                                              : "",
                             offer->date);
}

/// Used parts alone, or new ones alone.
std::optional<bool> used_wanted_in(const Reading& reading) {
    return asks(reading, "used") ? std::optional(true) : used_wanted(reading.require);
}

/// The cheapest offer of each part; spot only where it was asked for, as it is taken away at any
/// time.
std::vector<Priced> rents_of(const Reading& reading, const Catalog& catalog) {
    std::vector<Priced> list;
    for (const Offer* offer : offers_of(reading, catalog)) {
        const bool listed = std::ranges::any_of(
            list, [&](const Priced& each) { return each.part->id == offer->accelerator; });
        if (!listed && (offer->kind != PriceKind::spot || reading.price_kind == "spot")) {
            list.push_back({catalog.accelerator(offer->accelerator), offer,
                            offer->usd_per_accelerator_hour()});
        }
    }
    return list;
}

std::vector<Priced> purchases_of(const Reading& reading, const Catalog& catalog) {
    std::vector<Priced> list;
    for (const std::string& id : reading.accelerators) {
        const Accelerator* part = catalog.accelerator(id);
        const auto price = part == nullptr
                               ? std::nullopt
                               : purchase_price(catalog, *part, used_wanted_in(reading));
        if (price && price->current) {
            list.push_back({part, nullptr, price->usd_each});
        }
    }
    // A module comes with a server, so that its price alone buys nothing.
    stable_order(list.begin(), list.end(), [](const Priced& a, const Priced& b) {
        return std::pair(is_module(*a.part), a.usd) < std::pair(is_module(*b.part), b.usd);
    });
    return list;
}

/// Cards for a desk that have a memory together, as many as a usual computer takes, cheapest first:
/// "4 x rtx-3090 for $4,828".
std::string sums_at_home(const Reading& reading, const Catalog& catalog) {
    constexpr int most = 4;
    std::vector<std::pair<double, std::string>> sums;
    for (const Accelerator& part : catalog.accelerators) {
        Reading each = reading;
        int count = 0;
        do {
            each.memory_gib = reading.memory_gib.value_or(0) / ++count;
        } while (count < most && part.marketed_gb < 0.98 * *each.memory_gib);
        const bool alone = is_one_computer(part);
        const auto price = is_home(part) && !(alone && count > 1) && suits(part, each)
                               ? purchase_price(catalog, part, used_wanted_in(reading))
                               : std::nullopt;
        if (price && price->current && stand_of(part) != Stand::processor) {
            // One supply feeds so much: the rest is a matter of lower limits.
            const double watts = count * (part.tdp / watt);
            const std::string held =
                count > 1 && watts > watts_of_a_computer
                    ? fmt::format(" (held to {:.0f} W each: one supply does not feed {} W)",
                                  std::floor(watts_of_a_computer / count), grouped(watts))
                    : "";
            sums.emplace_back(count * price->usd_each,
                              fmt::format("{} x {} for {}{}", count, part.id,
                                          format_usd(count * price->usd_each), held));
        }
    }
    stable_order(sums.begin(), sums.end(),
                 [](const auto& a, const auto& b) { return a.first < b.first; });
    std::string words;
    for (std::size_t i = 0; i < std::min(sums.size(), most_named); ++i) {
        words += (i == 0 ? "" : i == 1 ? "; then " : ", ") + sums[i].second;
    }
    return words;
}

std::string named(const std::vector<Priced>& list) {
    std::string words;
    for (std::size_t i = 0; i < std::min(list.size(), most_named); ++i) {
        words += (i == 0 ? "" : i == 1 ? "; then " : ", ") + words_of(list[i]);
    }
    return words;
}

}  // namespace

bool suits(const Accelerator& part, const Reading& reading) {
    const std::string vendor = lower(part.vendor);
    const auto lists = [&](const std::vector<std::string>& names) {
        return std::ranges::find(names, vendor) != names.end();
    };
    // The name of a size is two per cent off at most ("80 GB" of 79.6); a floor is exact.
    const bool has_all = is_of_lines(part, reading.require) &&
                         std::ranges::all_of(reading.require, [&part](const std::string& each) {
                             return has_feature(part, each).value_or(true);
                         });
    const auto& left_out = reading.accelerators_excluded;
    // "8 gpus with nvlink": all of them reach each other, which a bridge of two cards does not do.
    const bool linked = std::ranges::find(reading.require, "nvlink") == reading.require.end() ||
                        reading.count.value_or(1) <= std::max(2, part.scale_up.max_domain);
    return has_all && linked && std::ranges::find(left_out, part.id) == left_out.end() &&
           part.marketed_gb >=
               (reading.memory_at_least ? 1 : 0.98) * reading.memory_gib.value_or(0) &&
           draws_at_most(part, reading.max_watts) && !lists(reading.vendors_excluded) &&
           (reading.vendors.empty() || lists(reading.vendors));
}

std::vector<std::string> parts_of_memory(const Reading& reading, const Catalog& catalog) {
    std::vector<std::string> ids;
    for (const Accelerator& part : catalog.accelerators) {
        if (part.kind == "gpu" && suits(part, reading)) {
            ids.push_back(part.id);
        }
    }
    return ids;
}

Answer reply_cheapest_with(const Reading& reading, const AnswerTools& tools) {
    const Catalog& catalog = tools.knowledge.catalog;
    const bool home = reading.home && reading.memory_gib && reading.price_kind.empty();
    const bool buys = reading.price_kind == "purchase" || reading.buy || home ||
                      used_wanted_in(reading).has_value();
    const auto rents = buys ? std::vector<Priced>{} : rents_of(reading, catalog);
    auto sold = purchases_of(reading, catalog);
    std::erase_if(sold,
                  [home](const Priced& each) { return home && !stands_at_a_desk(*each.part); });
    const auto used = used_wanted_in(reading);
    const std::string state = !used ? "" : *used ? " used" : " new";
    const bool any = reading.memory_gib && *reading.memory_gib <= 1;  // as every part has
    const std::string wanted = any ? "" : " with " + features_words(reading);
    Answer reply;
    if (!rents.empty()) {
        const Priced& best = rents.front();
        reply.values.push_back(
            {"rent", best.usd, best.usd, rents.back().usd, "USD/h", best.part->id});
        reply.choice = AnswerChoice{.accelerator = best.part->id,
                                    .count = best.offer->count,
                                    .usd_per_hour = best.offer->usd_per_hour,
                                    .why = "the least rent of an accelerator hour"};
        reply.headline = fmt::format("The cheapest to rent{}: {}", wanted, named(rents));
    }
    if (!sold.empty() && (buys || rents.empty() || reading.price_kind.empty())) {
        reply.values.push_back({"purchase", sold.front().usd, sold.front().usd, sold.back().usd,
                                "USD", sold.front().part->id});
        reply.headline += fmt::format("{} to buy{}{}: {}",
                                      reply.headline.empty() ? "The cheapest" : "; the cheapest",
                                      state, reply.headline.empty() ? wanted : "", named(sold));
    }
    if (const std::string sums = home ? sums_at_home(reading, catalog) : ""; !sums.empty()) {
        reply.headline = fmt::format("The cheapest to buy{}{} in one computer: {}{}", state, wanted,
                                     sums, sold.empty() ? "" : "; in one card: " + named(sold));
    }
    reply.headline += reply.headline.empty()
                          ? fmt::format("No offer of a part{} is in the catalog.", wanted)
                          : ".";
    return reply;
}

}  // namespace ridgeline
