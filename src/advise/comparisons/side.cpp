#include "advise/comparisons/side.h"

#include "advise/answers/rate_words.h"
#include "advise/comparisons/replies.h"
#include "advise/figure_words.h"
#include "advise/fits/judged.h"
#include "advise/hardware/cluster.h"
#include "advise/hardware/offers.h"
#include "advise/placement/waiting.h"
#include "estimate/serving/waiting.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

/// The document with what was said of this side alone.
WorkloadDocument own_document(const ComparedSide& side, WorkloadDocument document) {
    if (side.side == nullptr) {
        return document;
    }
    const ReadSide& said = *side.side;
    if (!said.quantization.empty()) {
        document.quantization = said.quantization;
    }
    if (!said.framework.empty()) {
        document.framework = said.framework;
    }
    for (const ComputeType type : {ComputeType::bf16, ComputeType::fp8}) {
        document.compute = name_of(type) == said.compute ? type : document.compute;
    }
    if (said.method == "lora" || said.method == "qlora") {
        document.method = said.method == "qlora" ? Method::qlora : Method::lora;
        document.has_lora = true;
    }
    return document;
}

/// Tokens or samples a second of a side under a load; nothing: it does not hold so many at once.
std::optional<double> rate_under(double users, const ComparedSide& side,
                                 const WorkloadDocument& document, const Architecture& architecture,
                                 const AnswerTools& tools) {
    WorkloadDocument busy = own_document(side, document);
    busy.serving->concurrency = users;
    const int cards = side.at_once > 1 ? 1 : side.count;
    const Cluster cluster = make_cluster(tools.knowledge.catalog, *side.part, cards, 0, nullptr);
    const auto placed = tools.place(busy, architecture, cluster);
    return placed && placed->estimate.memory.fits
               ? std::optional(placed->estimate.time.work_per_second())
               : std::nullopt;
}

/// The most requests at once up to `most` that a side holds, to a sixteenth; 0: not one.
double fullest(double most, const ComparedSide& side, const WorkloadDocument& document,
               const Architecture& architecture, const AnswerTools& tools) {
    const auto holds = [&](double users) {
        return rate_under(users, side, document, architecture, tools).has_value();
    };
    double users = most;
    while (users >= 1 && !holds(users)) {
        users = std::floor(users / 2);
    }
    if (users < 1 || users == most) {
        return users;
    }
    for (double step = std::floor(users / 2); step >= std::max(1.0, users / 16);
         step = std::floor(step / 2)) {
        users += users + step < most && holds(users + step) ? step : 0;
    }
    return users;
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

std::vector<double> rents_of_instances(std::span<const ReadSide> sides,
                                       std::span<const Accelerator* const> parts,
                                       std::span<const int> counts, const Catalog& catalog) {
    std::vector<double> rents(parts.size(), 0.0);
    for (const ReadSide& side : sides) {
        const Offer* offer = offer_of_instance(catalog, side);
        for (std::size_t i = 0; offer != nullptr && i < parts.size(); ++i) {
            if (parts[i]->id == offer->accelerator && counts[i] == side.count.value_or(1)) {
                rents[i] = rent_of(*offer, counts[i]);
            }
        }
    }
    return rents;
}

std::string words_of(const ComparedSide& side) {
    std::string words = fmt::format("{} x {}", side.count, side.part->name);
    if (side.side == nullptr) {
        return words;
    }
    const ReadSide& said = *side.side;
    words += said.method.empty() ? "" : " by " + said.method;
    // Sixteen bits are those that the part computes in.
    const char* wide = side.part->peak(ComputeType::bf16) ? "bf16" : "fp16";
    for (const std::string* type : {&said.quantization, &said.compute}) {
        words += type->empty() ? "" : " in " + (*type == "none" ? wide : *type);
    }
    return words + (said.framework.empty() ? "" : " under " + said.framework);
}

std::optional<Offer> contract_of(const ComparedSide& side, const Catalog& catalog) {
    return side.side != nullptr && side.side->price_kind == "reserved"
               ? market_contract(catalog, side.part->id, side.count)
               : std::nullopt;
}

double rent_of_side(const ComparedSide& side, const Catalog& catalog) {
    if (side.side != nullptr && side.side->usd_per_hour) {
        return *side.side->usd_per_hour / side.side->count.value_or(1) * side.count;
    }
    // Two cards of an instance of eight pay for eight: that tells nothing of the cards.
    const bool instance = side.side != nullptr && !side.side->instance.empty();
    const Offer* offer =
        instance ? offer_of_instance(catalog, *side.side)
                 : offer_for(catalog, make_cluster(catalog, *side.part, side.count, 0, nullptr),
                             side.side == nullptr ? std::string_view() : side.side->price_kind);
    const auto market = offer == nullptr ? contract_of(side, catalog) : std::nullopt;
    if (market) {
        return market->usd_per_hour;
    }
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
    WorkloadDocument own = own_document(side, document);
    if (own.task == Task::inference && own.serving && side.counts_samples) {
        own.serving->concurrency = std::max(own.serving->concurrency, 1.0 * side.count);
    }
    if (side.filled && own.serving) {
        own.serving->concurrency =
            std::max(1.0, fullest(most_of_an_engine, side, own, architecture, tools));
        side.busy_with = own.serving->concurrency;
    } else if (own.task == Task::inference && own.serving && side.load_each > 0) {
        own.serving->concurrency = side.load_each * side.count;
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
    // As a fit judges a rate that comes: with as many at once as keep it.
    if (!side.filled && side.load_each <= 0) {
        gather_for_rate(query, tools, own, cluster, *placed);
    }
    score_by(side, *placed, query, tools.knowledge.catalog);
}

void score_by(ComparedSide& side, const Placement& placed, const Query& query,
              const Catalog& catalog) {
    const TimeEstimate& time = placed.estimate.time;
    side.verdict = verdict_of(placed.estimate.memory);
    side.made = time.tokens_per_second > 0                 ? "tokens"
                : !counts_images(placed.architecture)      ? "samples"
                : frames_a_second(placed.architecture) > 0 ? "clips"
                                                           : "images";
    side.measure = time.tokens_per_second > 0 ? "tokens/s" : "samples/s";
    side.pace = pace_of(placed, query);
    side.bound = time.bound;
    side.watts = placed.estimate.cost.watts;
    side.recompute = placed.workload.plan.recompute;
    side.micro_batch = placed.workload.batch.micro;
    side.framework = placed.workload.framework;
    side.run = time.total;
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
        if (side.by_prompt && time.ttft > Seconds{} && placed.workload.serving) {
            const Serving& serving = *placed.workload.serving;
            side.score = serving.input_tokens * serving.concurrency / (time.ttft / second);
            side.made = "prompt tokens";
        }
    }
}

void price_alike(std::vector<ComparedSide>& sides, const WorkloadDocument& document,
                 const Architecture& architecture, bool paid_busy, const AnswerTools& tools) {
    const auto priced = [](const ComparedSide& side) {
        return side.score > 0 && side.usd_per_hour > 0 && !side.by_energy && !side.by_prompt;
    };
    for (ComparedSide& side : sides) {
        side.busy_with = side.filled ? side.busy_with : 0;
        side.alike_with = 0;
        side.usd = priced(side) ? std::optional(side.usd_per_hour / 3600 / side.score * 1e6)
                                : std::nullopt;
    }
    const bool open = paid_busy && document.task == Task::inference && document.serving &&
                      document.serving->concurrency <= 1 &&
                      std::none_of(sides.begin(), sides.end(), [](const ComparedSide& side) {
                          return side.filled || side.load_each > 0;
                      });
    if (!open) {
        return;
    }
    const auto usd_at = [&](double users, const ComparedSide& side) {
        const auto rate = rate_under(users, side, document, architecture, tools);
        return rate ? std::optional(side.usd_per_hour / 3600 / *rate * 1e6) : std::nullopt;
    };
    double fewest = usual_batch_of_requests;
    for (ComparedSide& side : sides) {
        if (priced(side)) {
            side.busy_with = fullest(usual_batch_of_requests, side, document, architecture, tools);
            side.usd = side.busy_with > 1 ? usd_at(side.busy_with, side) : side.usd;
            fewest = std::min(fewest, std::max(1.0, side.busy_with));
        }
    }
    for (ComparedSide& side : sides) {
        if (priced(side) && side.busy_with > fewest) {
            side.usd_alike = usd_at(fewest, side);
        } else {
            side.usd_alike = side.usd;
        }
        side.alike_with = fewest;
    }
}

std::string watts_words(const ComparedSide& one, const ComparedSide& two) {
    const auto limit = [](const ComparedSide& side) {
        return side.count * (side.part->tdp / watt);
    };
    if (limit(one) <= 0 || limit(two) <= 0) {
        return {};
    }
    const std::string wall =
        one.watts > 0 && two.watts > 0
            ? fmt::format(
                  ", at this work about {:.0f} and {:.0f} W at the wall with the share of "
                  "the machine",
                  one.watts, two.watts)
            : "";
    return fmt::format("{} draws at most {:.0f} W, {} {:.0f} W (TDP){}. ", words_of(one),
                       limit(one), words_of(two), limit(two), wall);
}

std::string recompute_words(const ComparedSide& best, const ComparedSide& other) {
    return best.recompute == RecomputeMode::none && other.recompute == RecomputeMode::full
               ? fmt::format(" {} has the room to keep activations, which {} computes again.",
                             words_of(best), words_of(other))
               : "";
}

bool waits_for_launches(const ComparedSide& best, const ComparedSide& other) {
    return best.score > 0 && best.score < same_rate_within * other.score &&
           best.bound == Bound::overhead;
}

std::string bound_words(const ComparedSide& best, const ComparedSide& other) {
    const bool alike = best.score < same_rate_within * other.score && best.bound == other.bound;
    return waits_for_launches(best, other)
               ? fmt::format(
                     " {} for kernel launches and the host at this batch: larger ones part "
                     "them.",
                     alike ? "Both wait" : words_of(best) + " waits")
           : alike && best.bound == Bound::input
               ? " Both wait for the host that reads and prepares the data."
               : "";
}

AnswerChoice choice_of(const ComparedSide& side) {
    AnswerChoice choice;
    choice.accelerator = side.part->id;
    choice.count = side.count;
    choice.verdict = side.verdict;
    if (side.score > 0) {
        choice.why = fmt::format("{} {}", figure_words(side.score), side.told_measure());
    }
    return choice;
}

}  // namespace ridgeline
