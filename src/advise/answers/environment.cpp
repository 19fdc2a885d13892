#include "advise/answers/environment.h"

#include "advise/hardware/desk.h"
#include "advise/hardware/offers.h"
#include "base/text.h"

#include <fmt/format.h>

// Reinforcement learning without a language model.

namespace ridgeline {
namespace {

// What a run takes on a card: a network of a few million parameters, batches of frames and the
// framework; where worlds are simulated there too, thousands of copies (Isaac Gym, Makoviychuk et
// al. 2021, trains 4,096 on 16 GB).
constexpr double least_gb = 8;
constexpr double least_gb_of_worlds = 16;

/// Whether the worlds themselves run on the accelerator.
bool simulates_on_card(std::string_view name) {
    return name.find("isaac") != name.npos || name == "brax" || name.find("mjx") != name.npos ||
           name.find("playground") != name.npos;
}

std::string purchase(const Accelerator& part, const PurchasePrice& price) {
    return fmt::format("{} for about {} ({})", part.name, format_usd(price.usd_each),
                       purchase_words(price));
}

}  // namespace

Answer reply_environment(const Reading& reading, const Catalog& catalog) {
    const std::string& name = reading.environment;
    const bool on_card = simulates_on_card(name);
    const double gb = on_card ? least_gb_of_worlds : least_gb;
    Answer reply;
    const Accelerator* bought = nullptr;
    std::optional<PurchasePrice> least;
    const Offer* rented = nullptr;
    for (const Accelerator& part : catalog.accelerators) {
        const bool does = part.marketed_gb >= gb && part.vendor == "NVIDIA" && (part.kind == "gpu");
        const auto price =
            does && stands_at_a_desk(part) ? purchase_price(catalog, part) : std::nullopt;
        if (price && price->current && price->basis == PurchaseBasis::card &&
            (!least || price->usd_each < least->usd_each)) {
            least = price;
            bought = &part;
        }
    }
    for (const Offer& offer : catalog.offers) {
        const Accelerator* part = catalog.accelerator(offer.accelerator);
        const bool does = part != nullptr && part->marketed_gb >= gb && part->vendor == "NVIDIA" &&
                          offer.kind != PriceKind::spot && offer.count == 1;
        rented = does && (rented == nullptr || offer.usd_per_hour < rented->usd_per_hour) ? &offer
                                                                                          : rented;
    }
    const Accelerator* own =
        reading.accelerators.empty() ? nullptr : catalog.accelerator(reading.accelerators.front());
    const std::string why =
        on_card ? fmt::format(
                      "{} simulates thousands of worlds on the card: its fp32 rate decides, and "
                      "{:g} GB hold them",
                      name, gb)
                : fmt::format(
                      "the networks of {} have a few million parameters, which any card holds: the "
                      "worlds run on the "
                      "host's cores and set the pace, so cores come before the card",
                      name);
    AnswerChoice choice;
    if (own != nullptr) {
        const bool holds = own->marketed_gb >= gb;
        reply.verdict = holds ? "yes" : "barely";
        choice.accelerator = own->id;
        choice.count = reading.count.value_or(1);
        reply.headline =
            fmt::format("{} {:g} GB of one {}: {}.", holds ? "Yes, by the" : "Perhaps, with the",
                        own->marketed_gb, own->name, why);
    } else if (bought != nullptr) {
        choice.accelerator = bought->id;
        reply.headline = fmt::format(
            "Any card of {:g} GB does, the cheapest {}{}: {}.", gb, purchase(*bought, *least),
            rented == nullptr
                ? ""
                : fmt::format(", or {} at {}/h ({}, {})", rented->accelerator,
                              format_usd(rented->usd_per_hour), rented->provider, rented->date),
            why);
    }
    reply.headline += " No time is told: how fast the worlds run is not known here.";
    choice.why = "small networks";
    reply.choice = choice;
    return reply;
}

}  // namespace ridgeline
