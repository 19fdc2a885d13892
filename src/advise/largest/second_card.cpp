#include "advise/fits/joined.h"
#include "advise/hardware/desk.h"
#include "advise/hardware/offers.h"
#include "advise/largest/joined_models.h"
#include "advise/largest/models_that_fit.h"
#include "advise/largest/replies.h"
#include "advise/stacks/stored_weights.h"
#include "base/order.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

// What to put beside the card that is there. llama.cpp shares one model out over unlike cards of
// one maker; other stacks have all of them wait for the slowest.

namespace ridgeline {
namespace {

/// A card that is sold, and what it makes of the computer beside what is there.
struct Addition {
    const Accelerator* part = nullptr;
    PurchasePrice price;
    Joint joint;
    std::string type;       ///< of the weights that both hold
    double parameters = 0;  ///< of the largest model in 4 bits, where none is named
};

/// What is bought card by card for a desk, runs today's software and costs no more than `most_usd`.
std::optional<PurchasePrice> price_of_addition(const Accelerator& part, const Query& query,
                                               const Catalog& catalog, double most_usd) {
    const bool suits = part.kind == "gpu" && is_built_as(part, "card") && stands_at_a_desk(part) &&
                       !is_embedded(part) && left_behind(part).empty();
    const auto price = suits ? purchase_price(catalog, part, used_wanted(query)) : std::nullopt;
    const bool sold = price && price->current && price->usd_each <= most_usd &&
                      unobtainable(catalog, query, part, 1, 1, true).empty();
    return sold ? price : std::nullopt;
}

/// The widest type that both hold of the model that was named, and what they make of it.
std::optional<std::pair<std::string, Joint>> held_together(const Reading& reading,
                                                           WorkloadDocument document,
                                                           const Accelerator& added,
                                                           const AnswerTools& tools) {
    const auto architecture = tools.architecture(document);
    if (!architecture || !takes_narrow_weights(*architecture)) {
        return std::nullopt;
    }
    std::vector<std::string> types{document.quantization.value_or("none")};
    if (!document.quantization) {
        const Accelerator* parts[] = {&added};
        for (const std::string_view type :
             weights_to_try(document, *architecture, parts, tools.knowledge.profiles)) {
            types.emplace_back(type);
        }
    }
    std::optional<std::pair<std::string, Joint>> best;
    for (const std::string& type : types) {
        document.quantization = type;
        auto joint = joint_of(reading, document, *architecture, tools);
        if (joint && std::isfinite(joint->rate) &&
            (!best || (best->second.verdict != "yes" && joint->verdict != "no"))) {
            best = {type, std::move(*joint)};
        }
    }
    return best;
}

/// What the cards of `reading.joined` do for the question; empty: llama.cpp does not run there.
std::optional<Addition> candidate_of(const Reading& reading, const Query& query,
                                     const Accelerator& added, const AnswerTools& tools) {
    Addition found;
    Reading one = reading;
    one.task = Task::inference;  // nothing else is shared by cards that differ
    one.method.clear();
    one.concurrency = one.concurrency.value_or(1);
    if (reading.model.empty()) {
        found.parameters = largest_together(one, "q4_k_m", true, tools);
        one.model = model_of_size(found.parameters);
        one.quantization = "q4_k_m";
    }
    WorkloadDocument document = query_of(one).workload;
    document.framework = "llama.cpp";
    auto held = held_together(one, document, added, tools);
    if (!held) {
        return std::nullopt;
    }
    std::tie(found.type, found.joint) = std::move(*held);
    found.part = &added;
    return found;
}

std::string words_of(const Addition& candidate) {
    return fmt::format("{} at {} ({})", candidate.part->name, format_usd(candidate.price.usd_each),
                       purchase_words(candidate.price));
}

std::string held_words(const Addition& candidate, const Reading& reading) {
    const std::string what =
        reading.model.empty()
            ? fmt::format("up to {} in 4 bits", format_count(candidate.parameters))
            : fmt::format("{} in {}{}", reading.estimated_model(),
                          candidate.type == "none" ? "16 bits" : candidate.type,
                          candidate.joint.verdict == "barely" ? ", barely" : "");
    return fmt::format("{}, {:.3g} tokens/s ({:.3g} to {:.3g})", what, candidate.joint.rate,
                       candidate.joint.rate_low, candidate.joint.rate_high);
}

}  // namespace

Answer reply_second_card(const Reading& reading, const Query& query, const AnswerTools& tools) {
    const Catalog& catalog = tools.knowledge.catalog;
    Answer reply;
    const Accelerator* mine =
        reading.accelerators.empty() ? nullptr : catalog.accelerator(reading.accelerators.front());
    if (mine == nullptr) {
        reply.headline = "The card that is there is not known: what goes beside it is not, either.";
        return reply;
    }
    const auto another = purchase_price(catalog, *mine, used_wanted(query));
    const double most_usd = query.budget_usd.value_or(std::numeric_limits<double>::max());
    const int there = reading.count.value_or(1);
    std::vector<Addition> list;
    for (const Accelerator& part : catalog.accelerators) {
        const auto price = part.vendor == mine->vendor
                               ? price_of_addition(part, query, catalog, most_usd)
                               : std::nullopt;
        if (!price) {
            continue;
        }
        Reading pair = reading;
        pair.joined = {
            {.accelerator = mine->id,
             .form = {},
             .ids = {mine->id},
             .count = there,
             .provider = {}},
            {.accelerator = part.id, .form = {}, .ids = {part.id}, .count = 1, .provider = {}}};
        if (auto candidate = candidate_of(pair, query, part, tools)) {
            candidate->price = *price;
            list.push_back(std::move(*candidate));
        }
    }
    std::erase_if(list, [](const Addition& each) { return each.joint.verdict == "no"; });
    // Without a sum: up to what another of the same costs, where something of that does it.
    const auto dearer = [&](const Addition& each) {
        return another && each.price.usd_each > another->usd_each;
    };
    const bool as_another =
        !query.budget_usd && another && !std::ranges::all_of(list, dearer) && !list.empty();
    if (as_another) {
        std::erase_if(list, dearer);
    }
    const std::string within =
        query.budget_usd ? fmt::format(" for {}", format_usd(*query.budget_usd))
        : as_another ? fmt::format(" for up to the {} of another", format_usd(another->usd_each))
                     : "";
    const std::string cards =
        fmt::format("{}{}", there > 1 ? std::to_string(there) + " x " : "the ", mine->name);
    const std::string same =
        another && another->usd_each > most_usd
            ? fmt::format(" Another {} is {} ({}).", mine->name, format_usd(another->usd_each),
                          purchase_words(*another))
            : "";
    if (list.empty()) {
        reply.headline = fmt::format(
            "No card that is sold{} makes {} with {}.{}", within,
            reading.model.empty() ? "room" : "room for " + reading.estimated_model(), cards, same);
        return reply;
    }
    const bool cheap_first = !query.budget_usd && !as_another;
    const auto better = [&](const Addition& a, const Addition& b) {
        const auto rank = [&](const Addition& each) {
            return std::tuple(cheap_first ? -each.price.usd_each : 0,
                              reading.model.empty() || each.joint.verdict == "yes", each.parameters,
                              each.joint.rate, -each.price.usd_each);
        };
        return rank(a) > rank(b);
    };
    stable_order(list.begin(), list.end(), better);
    const Addition& best = list.front();
    const auto& cheapest = *std::ranges::min_element(
        list, {}, [](const Addition& each) { return each.price.usd_each; });
    reply.choice =
        AnswerChoice{.accelerator = best.part->id, .count = 1, .why = "beside what is there"};
    reply.values.push_back(
        {"purchase", best.price.low, best.price.usd_each, best.price.high, "USD", best.part->id});
    reply.values.push_back(
        {"decode", best.joint.rate_low, best.joint.rate, best.joint.rate_high, "tokens/s", ""});
    reply.headline = fmt::format(
        "Beside {}{}: {}. Together they hold {:.3g} GiB: {}; llama.cpp parts the layers by the "
        "memory of each card.",
        cards, within, words_of(best), best.joint.capacity_gib, held_words(best, reading));
    if (list.size() > 1) {
        reply.headline +=
            fmt::format(" Then {}: {}.", words_of(list[1]), held_words(list[1], reading));
    }
    if (cheapest.part != best.part && (list.size() < 2 || cheapest.part != list[1].part)) {
        reply.headline += fmt::format(" The least price: {}: {}.", words_of(cheapest),
                                      held_words(cheapest, reading));
    }
    reply.headline += same +
                      " Slots, cooling and the power supply are yours to check; training does not "
                      "share unlike cards well.";
    return reply;
}

}  // namespace ridgeline
