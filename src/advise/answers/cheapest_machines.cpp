#include "advise/answers/answer.h"
#include "advise/hardware/cluster.h"
#include "advise/hardware/desk.h"
#include "advise/hardware/offers.h"
#include "base/order.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

// Machines whose cards have so much memory together, the cheapest to rent or to buy.

namespace ridgeline {
namespace {

constexpr std::size_t most_machines = 4;
/// How many of a card are rented out or stand in one machine.
constexpr std::array counts_of_a_machine{1, 2, 4, 8};

struct PricedMachine {
    const Accelerator* part = nullptr;
    int count = 1;
    double usd = 0;
    std::string from;  ///< "runpod, 2026-10-04"
};

/// The fewest of a part that have it; 0: no machine of the usual sizes does.
int fewest_of(const Accelerator& part, const Reading& reading) {
    constexpr double rounded = 0.98;  // the name of a size is two per cent off at most
    for (const int count : counts_of_a_machine) {
        const bool counted = !reading.count || *reading.count == count;
        const bool linked = std::ranges::find(reading.require, "nvlink") == reading.require.end() ||
                            count <= part.scale_up.max_domain;
        if (counted && linked && count <= reading.max_count.value_or(count) &&
            count * part.marketed_gb >= rounded * *reading.memory_of_all_gib) {
            return count;
        }
    }
    return 0;
}

std::optional<PricedMachine> rented(const Accelerator& part, int count, const Query& query,
                                    const Catalog& catalog) {
    const Cluster cluster = make_cluster(catalog, part, count, 0, nullptr);
    const Offer* offer =
        cheapest_offer(catalog, query, part, count, cluster.per_node, cluster.machine);
    const double usd = offer == nullptr ? 0 : rent_of(*offer, count);
    if (offer == nullptr || usd > query.budget_usd_per_hour.value_or(usd)) {
        return std::nullopt;
    }
    return PricedMachine{&part, count, usd, fmt::format("{}, {}", offer->provider, offer->date)};
}

std::optional<PricedMachine> sold(const Accelerator& part, int count, const Reading& reading,
                                  const Catalog& catalog) {
    constexpr int most_in_a_computer = 4;
    const auto price = purchase_price(catalog, part, used_wanted(reading.require));
    const bool cast_off = stand_of(part) == Stand::server && price && price->used;
    if (!price || !price->current || is_module(part) || cast_off || !left_behind(part).empty() ||
        count > most_in_a_computer ||
        price->usd_each * count > reading.budget_usd.value_or(price->usd_each * count)) {
        return std::nullopt;
    }
    return PricedMachine{&part, count, price->usd_each * count, purchase_words(*price)};
}

std::string words_of(const PricedMachine& machine, std::string_view unit) {
    return fmt::format("{} x {} ({:g} GB) {} {}{} ({})", machine.count, machine.part->name,
                       machine.count * machine.part->marketed_gb, unit.empty() ? "for" : "at",
                       format_usd(machine.usd), unit, machine.from);
}

}  // namespace

Answer reply_cheapest_machines(const Reading& reading, const Query& query,
                               const AnswerTools& tools) {
    const Catalog& catalog = tools.knowledge.catalog;
    const bool buys = reading.buy || reading.price_kind == "purchase" || reading.home;
    std::vector<PricedMachine> list;
    for (const Accelerator& part : catalog.accelerators) {
        const int count = part.kind == "gpu" && suits(part, reading) ? fewest_of(part, reading) : 0;
        const auto machine = count == 0 ? std::nullopt
                             : buys     ? sold(part, count, reading, catalog)
                                        : rented(part, count, query, catalog);
        if (machine) {
            list.push_back(*machine);
        }
    }
    stable_order(list.begin(), list.end(),
                 [](const PricedMachine& a, const PricedMachine& b) { return a.usd < b.usd; });
    const std::string_view unit = buys ? "" : "/h";
    Answer reply;
    if (list.empty()) {
        reply.headline =
            fmt::format("No machine with {:g} GB on its cards together is {}.",
                        *reading.memory_of_all_gib, buys ? "sold by its cards" : "listed at that");
        return reply;
    }
    const PricedMachine& best = list.front();
    reply.values.push_back({buys ? "purchase" : "rent", best.usd, best.usd, best.usd,
                            buys ? "USD" : "USD/h", best.part->id});
    reply.choice =
        AnswerChoice{.accelerator = best.part->id, .count = best.count, .why = "the least price"};
    if (!buys) {
        reply.choice->usd_per_hour = best.usd;
    }
    reply.headline = fmt::format("{} {}", buys ? "Buy" : "Rent", words_of(best, unit));
    for (std::size_t i = 1; i < std::min(list.size(), most_machines); ++i) {
        reply.headline += (i == 1 ? "; then " : ", ") + words_of(list[i], unit);
    }
    reply.headline += buys ? ". The computer around the cards is not in it." : ".";
    return reply;
}

}  // namespace ridgeline
