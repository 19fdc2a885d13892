#include "advise/answers/answer.h"
#include "advise/answers/beyond_sense.h"
#include "advise/answers/rate_words.h"
#include "advise/hardware/listings.h"
#include "advise/hardware/offers.h"
#include "advise/ranking/rank.h"
#include "advise/search/time_limits.h"
#include "advise/sense.h"
#include "base/order.h"
#include "base/text.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

// Replies about the recommended hardware, and the offers that a question is about.

namespace ridgeline {
namespace {

bool holds(const std::vector<std::string>& list, std::string_view value) {
    return std::find(list.begin(), list.end(), value) != list.end();
}

const Option* labelled(const Advice& advice, std::string_view label) {
    for (const Option& option : advice.options) {
        if (holds(option.labels, label)) {
            return &option;
        }
    }
    return nullptr;
}

std::string words_of(const Option& option) {
    return fmt::format("{} x {}", option.cluster.count, option.cluster.accelerator->name);
}

/// "$12.3/h, 1,200 tokens/s" as far as known.
std::string pace_of(const Option& option) {
    const TimeEstimate& time = option.estimate.time;
    std::string text;
    if (option.estimate.cost.usd_per_hour > 0) {
        text += ", " + format_usd(option.estimate.cost.usd_per_hour) + "/h";
    } else if (option.purchase_usd) {
        text += ", " + format_usd(*option.purchase_usd) + " to buy";
    }
    if (time.total > Seconds{}) {
        text += ", " + format_duration(time.total / second);
        if (option.estimate.cost.usd_total > 0) {
            text += " and " + format_usd(option.estimate.cost.usd_total) + " in all";
        }
    } else if (time.tokens_per_second > 0) {
        text += fmt::format(", {:.3g} tokens/s", time.tokens_per_second);
    }
    return text;
}

}  // namespace

AnswerChoice choice_of_option(const Query& query, const Option& option) {
    AnswerChoice choice;
    choice.accelerator = option.cluster.accelerator->id;
    choice.count = option.cluster.count;
    if (option.estimate.cost.usd_per_hour > 0) {
        choice.usd_per_hour = option.estimate.cost.usd_per_hour;
    }
    choice.why = option.why.empty() ? "" : option.why.front();
    choice.verdict = barely_keeps(query, option.workload.serving, option.estimate.time)
                         ? "barely"
                         : verdict_of(option.estimate.memory);
    return choice;
}

Answer reply_of(const Advice& advice) {
    Answer reply;
    if (advice.options.empty()) {
        reply.headline = "Nothing within the limits asked holds it";
        if (!advice.near_misses.empty()) {
            const Rejection& miss = advice.near_misses.front();
            reply.headline += fmt::format("; the nearest is {} x {}: {}", miss.count,
                                          miss.accelerator, miss.message);
            for (const std::string& change : miss.would_fit_if) {
                reply.change.push_back({change, "would fit"});
            }
        }
        reply.headline += ".";
        return reply;
    }
    const Option& best = advice.options.front();
    reply.choice = choice_of_option(advice.query, best);
    reply.headline = words_of(best) + pace_of(best);
    for (const auto& [label, target] :
         {std::pair{"smallest", &reply.smallest}, std::pair{"cheapest", &reply.cheapest},
          std::pair{"fastest", &reply.fastest}}) {
        if (const Option* option = labelled(advice, label)) {
            *target = choice_of_option(advice.query, *option);
        }
    }
    if (const RunnerUp other = runner_up_of(advice); other.option != nullptr) {
        reply.headline +=
            fmt::format("; {} {}{}", other.words, words_of(*other.option), pace_of(*other.option));
        reply.runner_up = choice_of_option(advice.query, *other.option);
    }
    reply.headline += ".";
    if (!beyond_sense(best.estimate).empty()) {
        reply.values = figures_of_run(best.estimate);  // by which it is refused
    }
    return reply;
}

namespace {

/// Leaves the offers out that are older than a day, of the parts that have newer ones.
void drop_stale(std::vector<const Offer*>& offers, const std::string& since) {
    std::set<std::string_view> current;
    for (const Offer* offer : offers) {
        if (offer->date >= since) {
            current.insert(offer->accelerator);
        }
    }
    std::erase_if(offers, [&](const Offer* offer) {
        return offer->date < since && current.contains(offer->accelerator);
    });
}

}  // namespace

std::vector<const Offer*> offers_of(const Reading& reading, const Catalog& catalog) {
    std::vector<const Offer*> offers;
    for (const Offer& offer : catalog.offers) {
        const bool provider = reading.providers.empty() || holds(reading.providers, offer.provider);
        const bool any = reading.price_kind.empty() && reading.alternatives_of != "price_kind";
        const bool kind = any || reading.price_kind == "purchase" ||
                          name_of(offer.kind) == reading.price_kind ||
                          (reading.price_kind.empty() &&
                           holds(reading.alternatives, std::string(name_of(offer.kind))));
        if (holds(reading.accelerators, offer.accelerator) && provider && kind &&
            !holds(reading.providers_excluded, offer.provider) &&
            std::none_of(
                reading.instances_excluded.begin(), reading.instances_excluded.end(),
                [&](const std::string& name) { return is_of_instance(catalog, offer, name); }) &&
            (reading.region.empty() || is_offered_in(offer, reading.region))) {
            // A price for each card counts once, in however many it is sold.
            if (reading.count || offers.empty() || !same_listing(*offers.back(), offer)) {
                offers.push_back(&offer);
            }
        }
    }
    const auto prefer = [&](auto holds) {
        std::vector<const Offer*> those;
        std::copy_if(offers.begin(), offers.end(), std::back_inserter(those), holds);
        if (!those.empty()) {
            offers = std::move(those);
        }
    };
    // An instance that is named has its own price.
    if (!reading.instances.empty()) {
        prefer([&](const Offer* offer) {
            return std::any_of(
                reading.instances.begin(), reading.instances.end(),
                [&](const std::string& name) { return is_of_instance(catalog, *offer, name); });
        });
    }
    const int count = reading.count.value_or(1);
    // Two of a machine are no sixteen machines of one card.
    if (const auto* machine = catalog.machine(reading.machine); machine != nullptr) {
        prefer([&](const Offer* offer) { return offer->count == machine->accelerators; });
    }
    if (reading.count) {
        prefer([&](const Offer* offer) { return offer->count == count; });
        // Several machines are whole ones: sixteen of one card are no two of eight.
        prefer([&](const Offer* offer) {
            return offer->count >= std::min(count, cards_of_node) || count <= cards_of_node;
        });
    }
    // What a provider that is asked for lists stands, however old it is.
    if (reading.providers.empty() && reading.instances.empty()) {
        drop_stale(offers, current_since(catalog));
    }
    stable_order(offers.begin(), offers.end(), [&](const Offer* a, const Offer* b) {
        return reading.count ? rent_of(*a, count) < rent_of(*b, count)
                             : a->usd_per_accelerator_hour() < b->usd_per_accelerator_hour();
    });
    return offers;
}

}  // namespace ridgeline
