#include "advise/compared_side.h"

#include "advise/desk.h"
#include "advise/offers.h"
#include "advise/plans.h"
#include "base/text.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

/// Tokens a second of a server that is paid for and kept busy, where nobody said how many use it, and how many then do;
/// else the rate as it is, and 0.
std::pair<double, double> busy_rate(double rate,
                 const WorkloadDocument& document,
                 const Architecture& architecture,
                 const Cluster& cluster,
                 const AnswerTools& tools) {
    if (document.task != Task::inference || !document.serving ||
        document.serving->concurrency > 1) {
        return {rate, 0};
    }
    WorkloadDocument busy = document;
    for (const double users : {1.0 * usual_batch_of_requests, usual_batch_of_requests / 4.0}) {
        busy.serving->concurrency = users;
        const auto placed = tools.place(busy, architecture, cluster);
        if (placed && placed->estimate.memory.fits) {
            const TimeEstimate& time = placed->estimate.time;
            return {time.work_per_second(), users};
        }
    }
    return {rate, 0};
}

}  // namespace

const Offer* offer_of_instance(const Catalog& catalog, const ReadSide& side) {
    const Offer* best = nullptr;
    for (const Offer& offer : catalog.offers) {
        const bool named = !side.instance.empty() && is_of_instance(catalog, offer, side.instance) &&
                           std::find(side.ids.begin(), side.ids.end(), offer.accelerator) != side.ids.end();
        const auto order = [](const Offer& each) { return std::pair(each.kind != PriceKind::on_demand, each.usd_per_hour); };
        best = named && (best == nullptr || order(offer) < order(*best)) ? &offer : best;
    }
    return best;
}

std::string words_of(const ComparedSide& side) {
    return fmt::format("{} x {}", side.count, side.part->name);
}

namespace {

/// A picture or clip that takes so long is waited for: copies on further cards make none of them sooner. Seconds.
constexpr double waited_for_s = 1;

/// The side by one of its cards, where each makes samples of its own that are waited for; false: it is judged as a whole.
bool judged_by_one(ComparedSide& side,
                   const WorkloadDocument& document,
                   const Architecture& architecture,
                   const Query& query,
                   bool paid_busy,
                   const AnswerTools& tools) {
    const bool copies = side.counts_samples && side.count > 1 && document.task == Task::inference && !side.by_energy;
    if (!copies || architecture.kind != ModelKind::diffusion) {
        return false;
    }
    ComparedSide one = side;
    one.count = 1;
    judge(one, document, architecture, query, paid_busy, tools);
    if (one.score <= 0 || one.score > 1 / waited_for_s) {
        return false;
    }
    one.count = one.at_once = side.count;
    side = std::move(one);
    return true;
}

}  // namespace

void judge(ComparedSide& side,
           const WorkloadDocument& document,
           const Architecture& architecture,
           const Query& query,
           bool paid_busy,
           const AnswerTools& tools) {
    if (judged_by_one(side, document, architecture, query, paid_busy, tools)) {
        return;
    }
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
        side.score = time.work_per_second();
        const double watts = placed->estimate.cost.watts;
        if (side.by_energy && watts > 0) {
            side.score /= watts;
            side.measure = time.tokens_per_second > 0 ? "tokens/J" : "samples/J";
            return;
        }
        // Two cards of an instance of eight pay for eight: that tells nothing of the cards.
        const bool instance = side.side != nullptr && !side.side->instance.empty();
        const Offer* offer = instance ? offer_of_instance(tools.knowledge.catalog, *side.side)
                                      : offer_for(tools.knowledge.catalog, cluster, "");
        const auto told = side.side != nullptr ? side.side->usd_per_hour : std::nullopt;
        if (told || (offer != nullptr && offer->count <= side.count)) {
            const double hourly = told ? *told / side.side->count.value_or(1) * side.count
                                       : std::ceil(1.0 * side.count / offer->count) * offer->usd_per_hour;
            const auto [rate, users] =
                paid_busy ? busy_rate(side.score, document, architecture, cluster, tools) : std::pair(side.score, 0.0);
            side.usd = hourly / 3600 / rate * 1e6;
            side.busy_with = users;
        }
    }
}

namespace {

/// "p5.48xlarge is $55.04/h (aws, on_demand, 2026-07-20)", of the instances that were named.
std::string instance_words(const ComparedSide& one, const ComparedSide& two, const Catalog& catalog) {
    std::string words;
    for (const ComparedSide* side : {&one, &two}) {
        if (side->side == nullptr || side->side->instance.empty()) {
            continue;
        }
        const Offer* offer = offer_of_instance(catalog, *side->side);
        words += offer == nullptr ? fmt::format(" No price of {} is listed.", side->side->instance)
                                  : fmt::format(" {} is {}/h ({}, {}, {}).", offer->instance_type, format_usd(offer->usd_per_hour), offer->provider,
                                                name_of(offer->kind), offer->date);
    }
    return words;
}

}  // namespace

std::string money_words(const ComparedSide& best, const ComparedSide& other, const Catalog& catalog) {
    const std::string instances = instance_words(best, other, catalog);
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
        // The rates beside it are those of one.
        const bool told = cheap.side != nullptr && cheap.side->usd_per_hour;
        const std::string busy = fmt::format("{}{}", told ? "At the rents told" : "Rented",
                                             cheap.busy_with > 1 ? fmt::format(" and kept busy ({:g} at once)", cheap.busy_with) : "");
        const std::string words = same ? fmt::format("{}, both cost about {} {}.", busy, format_usd(*cheap.usd * scale), unit)
                                       : fmt::format("{}, {} is the cheaper: {} {} against {}.", busy, words_of(cheap), format_usd(*cheap.usd * scale), unit,
                                                     format_usd(*dear.usd * scale));
        return instances.empty() ? words : instances.substr(1) + " " + words;
    }
    if (!instances.empty()) {
        return instances.substr(1);
    }
    if (best.usd || other.usd) {
        const ComparedSide& known = best.usd ? best : other;
        return fmt::format("Rented, {} is {} a million {}; no rent of {} is listed.", words_of(known), format_usd(*known.usd),
                           known.measure == "tokens/s" ? "tokens" : "samples", words_of(best.usd ? other : best));
    }
    const auto one = purchase_price(catalog, *best.part);
    const auto two = purchase_price(catalog, *other.part);
    return one && two && one->current && two->current
               ? fmt::format("To buy, {} against {}.",
                             format_usd(best.count * one->usd_each),
                             format_usd(other.count * two->usd_each))
               : std::string();
}

std::string value_words(const ComparedSide& one, const ComparedSide& two, std::string_view what, const Catalog& catalog) {
    const auto price_of = [&](const ComparedSide& side) {
        const auto price = stands_at_a_desk(*side.part) ? purchase_price(catalog, *side.part) : std::nullopt;
        return price && price->current ? side.count * price->usd_each : 0;
    };
    const double first = price_of(one);
    const double second = price_of(two);
    if (first <= 0 || second <= 0 || one.score <= 0 || two.score <= 0) {
        return {};
    }
    constexpr double unit = 1000;  // dollars
    const double a = one.score / first * unit;
    const double b = two.score / second * unit;
    if (std::max(a, b) < same_rate_within * std::min(a, b)) {
        return fmt::format("About the same value{}: {} {} for each $1,000.", what, figure_words(a), one.measure);
    }
    const bool is_one = a > b;
    return fmt::format("Better value{}: {} at {}, {} against {} {} for each $1,000 ({} is {}).",
                       what,
                       words_of(is_one ? one : two),
                       format_usd(is_one ? first : second),
                       figure_words(std::max(a, b)),
                       figure_words(std::min(a, b)),
                       one.measure,
                       words_of(is_one ? two : one),
                       format_usd(is_one ? second : first));
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
