#include "advise/compared_side.h"

#include "advise/desk.h"
#include "advise/offers.h"
#include "advise/plans.h"
#include "advise/waiting.h"
#include "base/text.h"
#include "estimate/serving/waiting.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

/// Tokens or samples a second of a side under a load; nothing: it does not hold so many at once.
std::optional<double> rate_under(double users, const ComparedSide& side,
                                 const WorkloadDocument& document, const Architecture& architecture,
                                 const AnswerTools& tools) {
    WorkloadDocument busy = document;
    busy.serving->concurrency = users;
    const int cards = side.at_once > 1 ? 1 : side.count;
    const Cluster cluster = make_cluster(tools.knowledge.catalog, *side.part, cards, 0, nullptr);
    const auto placed = tools.place(busy, architecture, cluster);
    return placed && placed->estimate.memory.fits
               ? std::optional(placed->estimate.time.work_per_second())
               : std::nullopt;
}

}  // namespace

const Offer* offer_of_instance(const Catalog& catalog, const ReadSide& side) {
    const Offer* best = nullptr;
    for (const Offer& offer : catalog.offers) {
        const bool named =
            !side.instance.empty() && is_of_instance(catalog, offer, side.instance) &&
            std::find(side.ids.begin(), side.ids.end(), offer.accelerator) != side.ids.end();
        const auto order = [](const Offer& each) {
            return std::pair(each.kind != PriceKind::on_demand, each.usd_per_hour);
        };
        best = named && (best == nullptr || order(offer) < order(*best)) ? &offer : best;
    }
    return best;
}

std::string words_of(const ComparedSide& side) {
    return fmt::format("{} x {}", side.count, side.part->name);
}

double rent_of_side(const ComparedSide& side, const Catalog& catalog) {
    if (side.side != nullptr && side.side->usd_per_hour) {
        return *side.side->usd_per_hour / side.side->count.value_or(1) * side.count;
    }
    // Two cards of an instance of eight pay for eight: that tells nothing of the cards.
    const bool instance = side.side != nullptr && !side.side->instance.empty();
    const Offer* offer =
        instance
            ? offer_of_instance(catalog, *side.side)
            : offer_for(catalog, make_cluster(catalog, *side.part, side.count, 0, nullptr), "");
    return offer != nullptr && offer->count <= side.count
               ? std::ceil(1.0 * side.count / offer->count) * offer->usd_per_hour
               : 0;
}

namespace {

/// A picture or clip that takes so long is waited for: copies on further cards make none of them
/// sooner. Seconds.
constexpr double waited_for_s = 1;

/// The side by one of its cards, where each makes samples of its own that are waited for; false: it
/// is judged as a whole.
bool judged_by_one(ComparedSide& side, const WorkloadDocument& document,
                   const Architecture& architecture, const Query& query, const AnswerTools& tools) {
    const bool copies = side.counts_samples && side.count > 1 && document.task == Task::inference &&
                        !side.by_energy;
    if (!copies || architecture.kind != ModelKind::diffusion) {
        return false;
    }
    ComparedSide one = side;
    one.count = 1;
    judge(one, document, architecture, query, tools);
    if (one.score <= 0 || one.score > 1 / waited_for_s) {
        return false;
    }
    one.count = one.at_once = side.count;
    side = std::move(one);
    return true;
}

}  // namespace

void judge(ComparedSide& side, const WorkloadDocument& document, const Architecture& architecture,
           const Query& query, const AnswerTools& tools) {
    if (judged_by_one(side, document, architecture, query, tools)) {
        return;
    }
    const Cluster cluster =
        make_cluster(tools.knowledge.catalog, *side.part, side.count, 0, nullptr);
    WorkloadDocument own = document;
    if (own.task == Task::inference && own.serving && side.counts_samples) {
        own.serving->concurrency = std::max(own.serving->concurrency, 1.0 * side.count);
    }
    side.score = 0;
    side.verdict = "no";
    side.running = 0;
    auto placed = tools.place(own, architecture, cluster);
    if (!placed) {
        return;
    }
    if (side.lets_wait && !placed->estimate.memory.fits) {
        let_requests_wait(tools.knowledge, own, cluster, nullptr, *placed);
        side.running = placed->estimate.memory.fits
                           ? running_requests(placed->estimate.memory, placed->workload)
                           : 0;
    }
    score_by(side, *placed, query, tools.knowledge.catalog);
}

void score_by(ComparedSide& side, const Placement& placed, const Query& query,
              const Catalog& catalog) {
    const TimeEstimate& time = placed.estimate.time;
    side.verdict = verdict_of(placed.estimate.memory);
    side.measure = time.tokens_per_second > 0 ? "tokens/s" : "samples/s";
    side.pace = pace_of(placed, query);
    side.bound = time.bound;
    side.usd.reset();
    side.usd_per_hour = 0;
    if (placed.estimate.memory.fits) {
        side.score = time.work_per_second();
        const double watts = placed.estimate.cost.watts;
        if (side.by_energy && watts > 0) {
            side.score /= watts;
            side.measure = time.tokens_per_second > 0 ? "tokens/J" : "samples/J";
            return;
        }
        side.usd_per_hour = rent_of_side(side, catalog);
    }
}

void price_alike(std::vector<ComparedSide>& sides, const WorkloadDocument& document,
                 const Architecture& architecture, bool paid_busy, const AnswerTools& tools) {
    const auto priced = [](const ComparedSide& side) {
        return side.score > 0 && side.usd_per_hour > 0 && !side.by_energy;
    };
    for (ComparedSide& side : sides) {
        side.busy_with = 0;
        side.usd = priced(side) ? std::optional(side.usd_per_hour / 3600 / side.score * 1e6)
                                : std::nullopt;
    }
    const bool open = paid_busy && document.task == Task::inference && document.serving &&
                      document.serving->concurrency <= 1;
    for (double users = usual_batch_of_requests; open && users > 1; users /= 2) {
        std::vector<double> rates;
        for (const ComparedSide& side : sides) {
            const auto rate =
                priced(side) ? rate_under(users, side, document, architecture, tools) : 0;
            if (!rate) {
                break;
            }
            rates.push_back(*rate);
        }
        if (rates.size() < sides.size()) {
            continue;  // one of them does not hold so many
        }
        for (std::size_t i = 0; i < sides.size(); ++i) {
            if (priced(sides[i])) {
                sides[i].usd = sides[i].usd_per_hour / 3600 / rates[i] * 1e6;
                sides[i].busy_with = users;
            }
        }
        return;
    }
}

namespace {

/// "p5.48xlarge is $55.04/h (aws, on_demand, 2026-07-20)", of the instances that were named.
std::string instance_words(const ComparedSide& one, const ComparedSide& two,
                           const Catalog& catalog) {
    std::string words;
    for (const ComparedSide* side : {&one, &two}) {
        if (side->side == nullptr || side->side->instance.empty()) {
            continue;
        }
        const Offer* offer = offer_of_instance(catalog, *side->side);
        words += offer == nullptr ? fmt::format(" No price of {} is listed.", side->side->instance)
                                  : fmt::format(" {} is {}/h ({}, {}, {}).", offer->instance_type,
                                                format_usd(offer->usd_per_hour), offer->provider,
                                                name_of(offer->kind), offer->date);
    }
    return words;
}

}  // namespace

std::string money_words(const ComparedSide& best, const ComparedSide& other,
                        const Catalog& catalog) {
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
        const std::string unit = fmt::format("a {} {}", slow ? "thousand" : "million",
                                             best.measure == "tokens/s" ? "tokens" : "samples");
        // The rates beside it are those of one.
        const bool told = cheap.side != nullptr && cheap.side->usd_per_hour;
        const std::string busy = fmt::format(
            "{}{}", told ? "At the rents told" : "Rented",
            cheap.busy_with > 1 ? fmt::format(" and kept busy ({:g} at once)", cheap.busy_with)
                                : "");
        const std::string words =
            same ? fmt::format("{}, both cost about {} {}.", busy, format_usd(*cheap.usd * scale),
                               unit)
                 : fmt::format("{}, {} is the cheaper: {} {} against {}.", busy, words_of(cheap),
                               format_usd(*cheap.usd * scale), unit, format_usd(*dear.usd * scale));
        return instances.empty() ? words : instances.substr(1) + " " + words;
    }
    if (!instances.empty()) {
        return instances.substr(1);
    }
    if (best.usd || other.usd) {
        const ComparedSide& known = best.usd ? best : other;
        return fmt::format("Rented, {} is {} a million {}; no rent of {} is listed.",
                           words_of(known), format_usd(*known.usd),
                           known.measure == "tokens/s" ? "tokens" : "samples",
                           words_of(best.usd ? other : best));
    }
    const auto one = purchase_price(catalog, *best.part);
    const auto two = purchase_price(catalog, *other.part);
    return one && two && one->current && two->current
               ? fmt::format("To buy, {} against {}.", format_usd(best.count * one->usd_each),
                             format_usd(other.count * two->usd_each))
               : std::string();
}

std::string bought_words(const ComparedSide& one, const ComparedSide& two, const Catalog& catalog) {
    const auto first = purchase_price(catalog, *one.part);
    const auto second = purchase_price(catalog, *two.part);
    return first && second && first->current && second->current
               ? fmt::format(" To buy, {} cost{} {} ({}), {} {} ({}).", words_of(one),
                             one.count == 1 ? "s" : "", format_usd(one.count * first->usd_each),
                             purchase_words(*first), words_of(two),
                             format_usd(two.count * second->usd_each), purchase_words(*second))
               : std::string();
}

std::string value_words(const ComparedSide& one, const ComparedSide& two, std::string_view what,
                        const Catalog& catalog) {
    const auto price_of = [&](const ComparedSide& side) {
        const auto price =
            stands_at_a_desk(*side.part) ? purchase_price(catalog, *side.part) : std::nullopt;
        return price && price->current ? side.count * price->usd_each : 0;
    };
    const bool bought = price_of(one) > 0 && price_of(two) > 0;
    const double first = bought ? price_of(one) : rent_of_side(one, catalog);
    const double second = bought ? price_of(two) : rent_of_side(two, catalog);
    if (first <= 0 || second <= 0 || one.score <= 0 || two.score <= 0) {
        return {};
    }
    const double unit = bought ? 1000 : 1;  // dollars, or of rent an hour
    const std::string_view each = bought ? "for each $1,000" : "for each dollar an hour";
    const std::string_view hourly = bought ? "" : "/h";
    const double a = one.score / first * unit;
    const double b = two.score / second * unit;
    if (std::max(a, b) < same_rate_within * std::min(a, b)) {
        return fmt::format("About the same value{}: {} {} {}.", what, figure_words(a), one.measure,
                           each);
    }
    const bool is_one = a > b;
    return fmt::format("Better value{}: {} at {}{}, {} against {} {} {} ({} is {}{}).", what,
                       words_of(is_one ? one : two), format_usd(is_one ? first : second), hourly,
                       figure_words(std::max(a, b)), figure_words(std::min(a, b)), one.measure,
                       each, words_of(is_one ? two : one), format_usd(is_one ? second : first),
                       hourly);
}

std::string bound_words(const ComparedSide& best, const ComparedSide& other) {
    const bool alike = best.score < same_rate_within * other.score && best.bound == other.bound;
    return !alike ? ""
           : best.bound == Bound::overhead
               ? " Both wait for kernel launches and the host at this batch: larger ones part them."
           : best.bound == Bound::input
               ? " Both wait for the host that reads and prepares the data."
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
