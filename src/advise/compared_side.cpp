#include "advise/compared_side.h"

#include "advise/offers.h"
#include "advise/plans.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

/// Tokens a second of a server that is paid for and kept busy, where nobody said how many use it;
/// else the rate as it is.
double busy_rate(double rate,
                 const WorkloadDocument& document,
                 const Architecture& architecture,
                 const Cluster& cluster,
                 const AnswerTools& tools) {
    if (document.task != Task::inference || !document.serving ||
        document.serving->concurrency > 1) {
        return rate;
    }
    WorkloadDocument busy = document;
    for (const double users : {1.0 * usual_batch_of_requests, usual_batch_of_requests / 4.0}) {
        busy.serving->concurrency = users;
        const auto placed = tools.place(busy, architecture, cluster);
        if (placed && placed->estimate.memory.fits) {
            const TimeEstimate& time = placed->estimate.time;
            return time.tokens_per_second > 0 ? time.tokens_per_second : time.samples_per_second;
        }
    }
    return rate;
}

}  // namespace

std::string words_of(const ComparedSide& side) {
    return fmt::format("{} x {}", side.count, side.part->name);
}

void judge(ComparedSide& side,
           const WorkloadDocument& document,
           const Architecture& architecture,
           const Query& query,
           bool paid_busy,
           const AnswerTools& tools) {
    const Cluster cluster =
        make_cluster(tools.knowledge.catalog, *side.part, side.count, 0, nullptr);
    WorkloadDocument own = document;
    if (own.task == Task::inference && own.serving && side.counts_samples) {
        own.serving->concurrency = std::max(own.serving->concurrency, 1.0 * side.count);
    }
    const auto placed = tools.place(own, architecture, cluster);
    side.score = 0;
    side.verdict = "no";
    if (!placed) {
        return;
    }
    const TimeEstimate& time = placed->estimate.time;
    side.verdict = verdict_of(placed->estimate.memory);
    side.measure = time.tokens_per_second > 0 ? "tokens/s" : "samples/s";
    side.pace = pace_of(*placed, query);
    side.bound = time.bound;
    side.usd.reset();
    if (placed->estimate.memory.fits) {
        side.score = time.tokens_per_second > 0 ? time.tokens_per_second : time.samples_per_second;
        const double watts = placed->estimate.cost.watts;
        if (side.by_energy && watts > 0) {
            side.score /= watts;
            side.measure = time.tokens_per_second > 0 ? "tokens/J" : "samples/J";
            return;
        }
        // Two cards of an instance of eight pay for eight: that tells nothing of the cards.
        const Offer* offer = offer_for(tools.knowledge.catalog, cluster, "");
        if (offer != nullptr && offer->count <= side.count) {
            const double hourly = std::ceil(1.0 * side.count / offer->count) * offer->usd_per_hour;
            const double rate =
                paid_busy ? busy_rate(side.score, document, architecture, cluster, tools) : side.score;
            side.usd = hourly / 3600 / rate * 1e6;
        }
    }
}

std::string money_words(const ComparedSide& best, const ComparedSide& other, const Catalog& catalog) {
    if (best.usd && other.usd) {
        const bool same =
            std::max(*best.usd, *other.usd) < same_rate_within * std::min(*best.usd, *other.usd);
        const ComparedSide& cheap = *best.usd <= *other.usd ? best : other;
        const ComparedSide& dear = *best.usd <= *other.usd ? other : best;
        // What is made slowly is counted in thousands.
        constexpr double most_a_million = 500;
        const bool slow = best.measure != "tokens/s" && *cheap.usd > most_a_million;
        const double scale = slow ? 1e-3 : 1;
        const std::string unit = fmt::format("a {} {}", slow ? "thousand" : "million", best.measure == "tokens/s" ? "tokens" : "samples");
        return same ? fmt::format("Rented, both cost about {} {}.", format_usd(*cheap.usd * scale), unit)
                    : fmt::format("Rented, {} is the cheaper: {} {} against {}.",
                                  words_of(cheap),
                                  format_usd(*cheap.usd * scale),
                                  unit,
                                  format_usd(*dear.usd * scale));
    }
    const auto one = purchase_price(catalog, *best.part);
    const auto two = purchase_price(catalog, *other.part);
    return one && two && one->current && two->current
               ? fmt::format("To buy, {} against {}.",
                             format_usd(best.count * one->usd_each),
                             format_usd(other.count * two->usd_each))
               : std::string();
}

std::string bound_words(const ComparedSide& best, const ComparedSide& other) {
    const bool alike = best.score < same_rate_within * other.score && best.bound == other.bound;
    return !alike                          ? ""
           : best.bound == Bound::overhead ? " Both wait for kernel launches and the host at this batch: larger ones part them."
           : best.bound == Bound::input    ? " Both wait for the host that reads and prepares the data."
                                           : "";
}

AnswerChoice choice_of(const ComparedSide& side) {
    AnswerChoice choice;
    choice.accelerator = side.part->id;
    choice.count = side.count;
    choice.verdict = side.verdict;
    if (side.score > 0) {
        choice.why = fmt::format("{} {}", figure_words(side.score), side.measure);
    }
    return choice;
}

}  // namespace ridgeline
