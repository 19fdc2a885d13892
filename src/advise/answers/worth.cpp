#include "advise/answers/worth.h"

#include "advise/figure_words.h"
#include "advise/hardware/cluster.h"
#include "advise/hardware/desk.h"
#include "advise/hardware/offers.h"
#include "base/order.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

// Parts by what their price buys: memory, bandwidth or matrix rate for the dollar.

namespace ridgeline {
namespace {

constexpr std::size_t most_ranked = 5;

/// A figure of a part, its unit, and for how many dollars it is told.
struct Figure {
    std::string_view name;
    std::string_view unit;
    double (*of)(const Accelerator& part);
};

double memory_of(const Accelerator& part) { return part.marketed_gb; }
double bandwidth_of(const Accelerator& part) { return part.memory_bandwidth / gigabyte_per_second; }
double rate_of(const Accelerator& part) {
    const auto peak = part.peak(ComputeType::bf16);
    return peak ? *peak / teraflop_per_second : 0;
}

constexpr Figure figures[] = {{"memory", "GB", memory_of},
                              {"bandwidth", "GB/s", bandwidth_of},
                              {"flops", "TFLOP/s in bf16", rate_of}};

const Figure* figure_of(const Reading& reading) {
    const auto* found =
        std::find_if(std::begin(figures), std::end(figures), [&](const Figure& each) {
            return std::ranges::find(reading.attributes, each.name) != reading.attributes.end();
        });
    return found == std::end(figures) ? nullptr : found;
}

struct Worth {
    const Accelerator* part = nullptr;
    double usd = 0;      ///< of one, to buy or for an hour
    double for_usd = 0;  ///< of the figure, for `Ranking::sum`
    std::string dated{};
};

/// One part for its price; nothing where it cannot be had or has nothing of the figure.
std::optional<Worth> worth_of(const Accelerator& part, const Figure& figure, const Reading& reading,
                              const Catalog& catalog) {
    double usd = 0;
    std::string dated;
    if (reading.buy) {
        const auto price = purchase_price(catalog, part);
        const bool sold = price && price->current && price->basis == PurchaseBasis::card;
        usd = sold && !is_module(part) ? price->usd_each : 0;
        dated = sold ? price->date : std::string();
    } else {
        for (const Offer& offer : catalog.offers) {
            const double hour = offer.usd_per_accelerator_hour();
            if (offer.accelerator == part.id && offer.kind != PriceKind::spot &&
                (usd == 0 || hour < usd)) {
                usd = hour;
                dated = offer.provider + ", " + offer.date;
            }
        }
    }
    const double has = figure.of(part);
    return usd > 0 && has > 0 ? std::optional(Worth{&part, usd, has / usd, std::move(dated)})
                              : std::nullopt;
}

std::vector<Worth> ranked(const Figure& figure, const Reading& reading, const Catalog& catalog,
                          bool computers) {
    std::vector<Worth> list;
    for (const Accelerator& part : catalog.accelerators) {
        const auto& named = reading.accelerators;
        const bool wanted = named.empty() ? part.kind == "gpu" && is_one_computer(part) == computers
                                          : std::ranges::find(named, part.id) != named.end();
        const bool asked = wanted && suits(part, reading) && is_as_required(part, reading.require);
        const auto worth = asked ? worth_of(part, figure, reading, catalog) : std::nullopt;
        if (worth) {
            list.push_back(*worth);
        }
    }
    stable_order(list.begin(), list.end(),
                 [](const Worth& a, const Worth& b) { return a.for_usd > b.for_usd; });
    return list;
}

}  // namespace

bool asks_for_worth(const Reading& reading) {
    return reading.model.empty() && reading.attributes.size() > 1 &&
           reading.attributes.front() == "value" && figure_of(reading) != nullptr &&
           (reading.intent == Intent::hardware || reading.intent == Intent::compare);
}

Answer reply_worth(const Reading& reading, const AnswerTools& tools) {
    const Figure& figure = *figure_of(reading);
    const Catalog& catalog = tools.knowledge.catalog;
    const double sum = reading.buy ? 1000 : 1;
    const auto words = [&](const Worth& each) {
        return fmt::format("{} ({:g} GB, {:.0f} GB/s) at {}{} ({}): {} {}", each.part->name,
                           each.part->marketed_gb, bandwidth_of(*each.part), format_usd(each.usd),
                           reading.buy ? "" : "/h", each.dated, figure_words(sum * each.for_usd),
                           figure.unit);
    };
    const auto list = ranked(figure, reading, catalog, false);
    Answer reply;
    if (list.empty()) {
        reply.headline = "None of them has a price of today.";
        return reply;
    }
    std::string named;
    for (std::size_t i = 0; i < std::min(list.size(), most_ranked); ++i) {
        named += (i == 0 ? "" : "; ") + words(list[i]);
        reply.values.push_back({std::string(figure.name),
                                {},
                                sum * list[i].for_usd,
                                {},
                                fmt::format("{} for ${:g}", figure.unit, sum),
                                list[i].part->id});
    }
    reply.choice = AnswerChoice{.accelerator = list.front().part->id,
                                .count = 1,
                                .why = fmt::format("most {} for its price", figure.name)};
    reply.headline =
        fmt::format("Most {} for {}, {}: {}.", figure.name == "flops" ? "bf16 rate" : figure.name,
                    reading.buy ? "$1,000 of cards" : "a dollar of rent",
                    reading.buy ? "bought" : "an hour", named);
    // Old cards are cheap for what they hold and lack what today's stacks compute in.
    const auto today = std::ranges::find_if(list, [](const Worth& each) {
        return each.part->peak(ComputeType::bf16).has_value() && each.part->vendor == "NVIDIA";
    });
    if (reading.accelerators.empty() && today != list.end() && today != list.begin()) {
        reply.headline += fmt::format(" The first with bf16 and CUDA, which most stacks want: {}.",
                                      words(*today));
        AnswerChoice other;
        other.accelerator = today->part->id;
        other.count = 1;
        other.why = "the first with bf16 and CUDA";
        reply.runner_up = other;
    }
    const auto computers = reading.accelerators.empty() && reading.buy
                               ? ranked(figure, reading, catalog, true)
                               : std::vector<Worth>{};
    if (!computers.empty()) {
        reply.headline +=
            fmt::format(" Of whole computers with shared memory: {}.", words(computers.front()));
    }
    return reply;
}

}  // namespace ridgeline
