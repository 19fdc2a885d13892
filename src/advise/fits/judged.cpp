#include "advise/fits/judged.h"

#include "advise/answers/pace.h"
#include "advise/fits/host_split.h"
#include "advise/fits/replies.h"
#include "advise/hardware/offers.h"
#include "advise/placement/waiting.h"
#include "base/text.h"
#include "estimate/families/families.h"
#include "estimate/serving/waiting.h"
#include "spec/hardware_names.h"

#include <fmt/format.h>

#include <algorithm>

// Questions of fit: the verdict of one way to run the work, and the better of the forms of its
// hardware.

namespace ridgeline {
namespace {

std::string work_words(const Placement& placement) {
    const std::string model =
        placement.architecture.id.empty() ? placement.architecture.name : placement.architecture.id;
    if (placement.workload.task != Task::inference) {
        static constexpr const char* methods[] = {"full training", "LoRA", "QLoRA"};
        // What it takes goes with the batch, which most leave open.
        const bool maps = placement.architecture.network || placement.architecture.reads_images();
        return model + ", " + methods[static_cast<std::size_t>(placement.workload.method)] +
               fmt::format("{}{}", maps ? " in batches of " : " at micro-batch ",
                           placement.workload.batch.micro);
    }
    const std::string& weights = placement.workload.quantization.name;
    return model + " served in " +
           (weights.empty() || weights == "none" ? std::string(name_of(placement.workload.weights))
                                                 : weights);
}

/// What a round of generating answers and learning from them takes.
std::string round_words(const TimeEstimate& time) {
    if (!time.round) {
        return "";
    }
    const double seconds = time.step / second;
    return fmt::format(" A round of {:.0f} prompts x {:.0f} answers takes {} ({} to {}).",
                       time.round->prompts, time.round->answers, format_duration(seconds),
                       format_duration(seconds * time.band.low),
                       format_duration(seconds * time.band.high));
}

std::string waiting_words(const Placement& placement) {
    const double running = running_requests(placement.estimate.memory, placement.workload);
    const double all = placement.workload.serving ? placement.workload.serving->concurrency : 1;
    return running < all
               ? fmt::format(" {:.0f} of the {:.0f} requests run at once, the others wait.",
                             running, all)
               : "";
}

/// Networks that come to the device in turn, and what of the largest it has no room for.
std::string words_of_streamed(const Placement& placement) {
    const MemoryEstimate& memory = placement.estimate.memory;
    if (placement.workload.task != Task::inference || !has_program(placement.architecture) ||
        memory.host <= Bytes{}) {
        return "";
    }
    return fmt::format(" {} ({}) and come in turn{}; {} takes {}.", waiting_networks,
                       format_gib(memory.host / gibibyte),
                       memory.streamed > Bytes{}
                           ? fmt::format(", {} of the largest in each of its passes",
                                         format_gib(memory.streamed / gibibyte))
                           : "",
                       placement.workload.batch.micro == 1
                           ? std::string("one")
                           : fmt::format("a batch of {}", placement.workload.batch.micro),
                       format_duration(placement.estimate.time.step / second));
}

/// Of two answers the better: what fits before what does not, then what is as fast as was asked.
int order_of(std::string_view verdict, const Pace& pace) {
    const int speed = pace.middle ? 5 : pace.at_best ? 3 : 1;
    return verdict == "no" ? 0 : speed + (verdict == "yes" ? 1 : 0);
}
Answer judged(const Placement& placement, const Query& query, bool sized) {
    const MemoryEstimate& memory = placement.estimate.memory;
    Answer reply;
    reply.verdict = verdict_of(memory);
    // Who asks for so many users is served, though not all at once; where each was told its context
    // it is no.
    const bool waits = reply.verdict != "no" && !waiting_words(placement).empty();
    if (waits) {
        reply.verdict = sized ? "no" : "barely";
    }
    const double gib = memory.process / gibibyte;
    reply.needs = AnswerNeeds{gib * memory.band.low, gib, gib * memory.band.high};
    reply.have_gib = (memory.capacity - memory.unclaimed) / gibibyte;
    reply.choice = AnswerChoice{.accelerator = placement.cluster.accelerator->id,
                                .count = placement.cluster.count,
                                .verdict = reply.verdict};
    static constexpr std::pair<std::string_view, std::string_view> words[] = {
        {"yes", "Yes"}, {"barely", "Barely"}, {"no", "No"}};
    const auto word = std::find_if(std::begin(words), std::end(words),
                                   [&](const auto& each) { return each.first == reply.verdict; });
    reply.headline = fmt::format(
        "{}{}: {} needs {} GiB ({} to {}) of {} GiB on {}{}.", word->second,
        waits && reply.verdict == "no" ? ", not at once" : "", work_words(placement),
        format_gib(gib).substr(0, format_gib(gib).find(' ')),
        format_gib(reply.needs->low).substr(0, format_gib(reply.needs->low).find(' ')),
        format_gib(reply.needs->high).substr(0, format_gib(reply.needs->high).find(' ')),
        format_gib(*reply.have_gib).substr(0, format_gib(*reply.have_gib).find(' ')),
        placement.cluster.count > 1 ? "each of " : "", cards_words(placement.cluster));
    if (!memory.fits && memory.headroom() >= Bytes{} && placement.cluster.host_memory_per_node) {
        reply.headline +=
            fmt::format(" What waits on the host needs {} of its memory, {} are there.",
                        format_gib(memory.host / gibibyte),
                        format_gib(*placement.cluster.host_memory_per_node / gibibyte));
    }
    if (memory.fits) {
        const Plan& plan = placement.workload.plan;
        const bool offloads = plan.offload_optimizer == OffloadTarget::cpu ||
                              plan.offload_parameters == OffloadTarget::cpu;
        if (placement.workload.task == Task::train && offloads && memory.host > Bytes{}) {
            const auto& there = placement.cluster.host_memory_per_node;
            reply.headline +=
                fmt::format(" {} wait in the host's memory{}.", format_gib(memory.host / gibibyte),
                            there ? fmt::format(", of {}", format_gib(*there / gibibyte)) : "");
        }
        reply.headline += words_of_streamed(placement);
        reply.headline += round_words(placement.estimate.time);
        reply.headline += waiting_words(placement);
        const Pace pace = pace_of(placement, query);
        // The verdict is that of memory; a pace that is missed is said right behind it.
        if (!pace.middle) {
            reply.headline.insert(
                reply.headline.find(':'),
                fmt::format(", {} {}too slow", reply.verdict == "no" ? "and" : "but",
                            pace.at_best ? "perhaps " : ""));
        }
        reply.headline += pace.words;
    }
    return reply;
}

/// sized  how long a request is was said
void keep_better(Judged& best, Result<Placement> placed, const Query& query, bool sized) {
    if (!placed) {
        best.error = best.error ? best.error : std::optional(placed.error());
        return;
    }
    Answer reply = judged(*placed, query, sized);
    const Pace pace = placed->estimate.memory.fits ? pace_of(*placed, query) : Pace{};
    const auto room = [](const Answer& answer) { return *answer.have_gib - answer.needs->mid; };
    // Of forms that all are too small the roomiest is told.
    const bool roomier = best.reply && best.reply->verdict == "no" && reply.verdict == "no" &&
                         room(reply) > room(*best.reply) + 1;
    if (const int order = order_of(reply.verdict, pace); order > best.order || roomier) {
        best.reply = std::move(reply);
        best.order = order;
        best.slow = !pace.middle;
        best.bears = pace.bears;
        best.waits = !waiting_words(*placed).empty();
    }
}

/// Whether the least that a step needs is judged, as of the memory alone: nobody said how large
/// a batch is or how fast it has to be.
bool judges_least(const FitCase& fit) {
    return fit.document.task == Task::train && !fit.document.preference && !fit.reading.batch &&
           !fit.reading.micro_batch && !fit.query.deadline_s && !has_program(fit.architecture) &&
           !fit.architecture.reads_images();
}

/// Rounds of gathering: each takes at least half as many more at once.
constexpr int most_rounds = 6;
constexpr double least_growth = 1.5;
constexpr double most_growth = 4;
constexpr double worth_it = 1.05;  ///< what serves hardly more is not worth the longer wait

}  // namespace

bool surely_keeps(const Placement& placement, double rate) {
    return surely_served(placement.estimate.time) >= rate;
}

void gather_for_rate(const Query& query, const AnswerTools& tools, const WorkloadDocument& document,
                     const Cluster& on, Placement& best) {
    const double rate = query.requests_per_s.value_or(0);
    if (rate <= 0 || !query.concurrency_follows || !document.serving) {
        return;
    }
    const bool waits = query.ttft_s || query.tpot_s || query.answer_s;
    Query asked = query;  // the waits that were asked beside the rate
    asked.requests_per_s.reset();
    const Architecture architecture = best.architecture;
    WorkloadDocument trial = document;
    for (int round = 0; round < most_rounds; ++round) {
        const TimeEstimate& time = best.estimate.time;
        // Waits that were asked are those of the load that comes, not of what the slow end takes.
        const bool kept = waits ? time.samples_per_second >= rate : surely_keeps(best, rate);
        if (!best.estimate.memory.fits || time.samples_per_second <= 0 || kept) {
            return;
        }
        const double lack = rate * time.band.high / time.samples_per_second;
        trial.serving->concurrency =
            std::ceil(trial.serving->concurrency * std::clamp(lack, least_growth, most_growth));
        auto other = tools.place(trial, architecture, on);
        const bool helps =
            other && other->estimate.memory.fits &&
            other->estimate.time.samples_per_second >= worth_it * time.samples_per_second &&
            (!waits || pace_of(*other, asked).middle);
        if (!helps) {
            return;
        }
        best = std::move(*other);
    }
}

Result<Placement> FitCase::placed(const WorkloadDocument& trial, const Cluster& on) const {
    WorkloadDocument least = trial;
    if (judges_least(*this)) {
        train_on_one_sample(least, reading.keep_activations);
    }
    Cluster said = on;
    if (trial.task == Task::train && reading.host_memory_gib) {
        said.host_memory_per_node = left_by_system(*reading.host_memory_gib);
    }
    auto placement = tools.place(least, architecture, said);
    if (placement) {
        // What the cache does not hold waits, where the engine lets it.
        let_requests_wait(tools.knowledge, trial, on, nullptr, *placement);
        bound_by_host(*placement, reading);
        gather_for_rate(query, tools, least, said, *placement);
    }
    return placement;
}

Judged judged_on_forms(const FitCase& fit, const WorkloadDocument& document) {
    Judged best;
    std::string roomier;    // another form of the same part, where the usual one only just holds it
    std::string too_small;  // the first form, where another holds it
    Bytes most_there{};     // of the hosts that are listed
    for (const Cluster& cluster : fit.clusters) {
        most_there = std::max(most_there, cluster.host_memory_per_node.value_or(Bytes{}));
    }
    for (const Cluster& cluster : fit.clusters) {
        auto placed = fit.placed(document, cluster);
        // A form whose host nobody lists is no "yes" where every listed one has too little.
        if (placed && most_there > Bytes{} && !placed->cluster.host_memory_per_node &&
            placed->estimate.memory.host > most_there) {
            continue;
        }
        if (&cluster == &fit.clusters.front() && placed && !placed->estimate.memory.fits) {
            const MemoryEstimate& memory = placed->estimate.memory;
            too_small =
                memory.headroom() < Bytes{}
                    ? fmt::format(" {} do not hold it: {} more are needed on each.",
                                  cards_words(cluster), format_gib(-memory.headroom() / gibibyte))
                    : fmt::format(" The host of {} does not hold it: {} are needed there.",
                                  cards_words(cluster), format_gib(memory.host / gibibyte));
        }
        const bool usual = best.reply && best.reply->verdict == "barely" && !best.waits &&
                           same_family(*fit.clusters.front().accelerator, *cluster.accelerator);
        if (usual) {
            const bool roomy = placed && verdict_of(placed->estimate.memory) == "yes" &&
                               waiting_words(*placed).empty();
            roomier = roomy && roomier.empty() ? cards_words(cluster) : roomier;
            continue;
        }
        keep_better(best, std::move(placed), fit.query,
                    fit.reading.sequence || fit.reading.input_tokens);
    }
    const auto other_form = [&](const Cluster& cluster) {
        return best.reply->choice && best.reply->choice->accelerator == cluster.accelerator->id &&
               same_family(*fit.clusters.front().accelerator, *cluster.accelerator);
    };
    if (!too_small.empty() && best.reply && best.reply->verdict != "no" &&
        std::any_of(fit.clusters.begin() + 1, fit.clusters.end(), other_form)) {
        best.reply->headline += too_small;
    }
    if (!roomier.empty()) {
        best.reply->headline += fmt::format(" {} has the room.", roomier);
    }
    return best;
}

}  // namespace ridgeline
