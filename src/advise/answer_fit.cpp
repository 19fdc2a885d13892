#include "advise/answer.h"
#include "advise/fit_words.h"
#include "advise/lean_stacks.h"
#include "advise/offers.h"
#include "advise/pace.h"
#include "advise/plans.h"
#include "advise/waiting.h"
#include "base/text.h"
#include "estimate/families/families.h"
#include "spec/chip_support.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ridgeline {

std::string verdict_of(const MemoryEstimate& memory) {
    const Bytes room = memory.capacity - memory.unclaimed;
    const double high = memory.band.high > 0 ? memory.band.high : 1;
    if (!memory.fits) {
        return "no";
    }
    return memory.process * high <= room ? "yes" : "barely";
}

namespace {

std::string hardware_words(const Cluster& cluster) {
    return fmt::format("{} x {}", cluster.count, cluster.accelerator->name);
}

std::string work_words(const Placement& placement) {
    const std::string model =
        placement.architecture.id.empty() ? placement.architecture.name : placement.architecture.id;
    if (placement.workload.task != Task::inference) {
        static constexpr const char* methods[] = {"full training", "LoRA", "QLoRA"};
        return model + ", " + methods[static_cast<std::size_t>(placement.workload.method)];
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
                       time.round->prompts,
                       time.round->answers,
                       format_duration(seconds),
                       format_duration(seconds * time.band.low),
                       format_duration(seconds * time.band.high));
}

std::string waiting_words(const Placement& placement) {
    const double running = running_requests(placement);
    const double all = placement.workload.serving ? placement.workload.serving->concurrency : 1;
    return running < all ? fmt::format(" {:.0f} of the {:.0f} requests run at once, the others wait.", running, all)
                         : "";
}

/// Of two answers the better: what fits before what does not, then what is as fast as was asked.
int order_of(std::string_view verdict, const Pace& pace) {
    const int speed = pace.middle ? 5 : pace.at_best ? 3 : 1;
    return verdict == "no" ? 0 : speed + (verdict == "yes" ? 1 : 0);
}
constexpr int best_order = 6;

Answer judged(const Placement& placement, const Query& query) {
    const MemoryEstimate& memory = placement.estimate.memory;
    Answer reply;
    reply.verdict = verdict_of(memory);
    // Who asks for so many users is served, though not all at once.
    if (reply.verdict == "yes" && !waiting_words(placement).empty()) {
        reply.verdict = "barely";
    }
    const double gib = memory.process / gibibyte;
    reply.needs = AnswerNeeds{gib * memory.band.low, gib, gib * memory.band.high};
    reply.have_gib = (memory.capacity - memory.unclaimed) / gibibyte;
    AnswerChoice choice;
    choice.accelerator = placement.cluster.accelerator->id;
    choice.count = placement.cluster.count;
    choice.verdict = reply.verdict;
    reply.choice = choice;
    static constexpr std::pair<std::string_view, std::string_view> words[] = {
        {"yes", "Yes"}, {"barely", "Barely"}, {"no", "No"}};
    const auto word = std::find_if(std::begin(words), std::end(words), [&](const auto& each) {
        return each.first == reply.verdict;
    });
    reply.headline = fmt::format(
        "{}: {} needs {} GiB ({} to {}) of {} GiB on each of {}.",
        word->second,
        work_words(placement),
        format_gib(gib).substr(0, format_gib(gib).find(' ')),
        format_gib(reply.needs->low).substr(0, format_gib(reply.needs->low).find(' ')),
        format_gib(reply.needs->high).substr(0, format_gib(reply.needs->high).find(' ')),
        format_gib(*reply.have_gib).substr(0, format_gib(*reply.have_gib).find(' ')),
        hardware_words(placement.cluster));
    if (memory.fits) {
        reply.headline += round_words(placement.estimate.time);
        reply.headline += waiting_words(placement);
        const Pace pace = pace_of(placement, query);
        // The verdict is that of memory; a pace that is missed is said right behind it.
        if (!pace.middle) {
            reply.headline.insert(reply.headline.find(':'),
                                  pace.at_best ? ", but perhaps too slow" : ", but too slow");
        }
        reply.headline += pace.words;
    }
    return reply;
}

/// With the requests that the cache does not hold waiting, where the engine lets them.
Result<Placement> served(const WorkloadDocument& document,
                         const Architecture& architecture,
                         const Cluster& cluster,
                         const AnswerTools& tools) {
    auto placed = tools.place(document, architecture, cluster);
    if (placed) {
        let_requests_wait(tools.knowledge, document, cluster, nullptr, *placed);
    }
    return placed;
}

struct Judged {
    std::optional<Answer> reply;
    int order = -1;
    bool slow = false;   ///< it fits and is slower than was asked
    bool waits = false;  ///< it fits with some of the requests waiting
    std::optional<Error> error;
};

void keep_better(Judged& best, Result<Placement> placed, const Query& query) {
    if (!placed) {
        best.error = best.error ? best.error : std::optional(placed.error());
        return;
    }
    Answer reply = judged(*placed, query);
    const Pace pace = placed->estimate.memory.fits ? pace_of(*placed, query) : Pace{};
    if (const int order = order_of(reply.verdict, pace); order > best.order) {
        best.reply = std::move(reply);
        best.order = order;
        best.slow = !pace.middle;
        best.waits = !waiting_words(*placed).empty();
    }
}

bool trains_from_scratch(const WorkloadDocument& document) {
    return document.method == Method::full && document.duration_tokens.value_or(0) >= least_tokens_from_scratch;
}

/// A change of training on the same hardware, as one would type it.
struct LeanerWay {
    std::string flags, effect;
    WorkloadDocument document;
};

/// What takes less at the same method: a loss in pieces, a stack that has one, shorter sequences.
std::vector<LeanerWay> leaner_ways(const WorkloadDocument& base, const Profiles& profiles) {
    std::vector<LeanerWay> ways;
    if (!base.loss) {
        ways.push_back({"--loss fused_linear", "fits with a loss that never keeps all logits", base});
        ways.back().document.loss = LossMode::fused_linear;
    }
    for (const SoftwareProfile* stack : lean_stacks(profiles, base)) {
        ways.push_back({"--framework " + stack->id,
                        fmt::format("fits under {}, which makes the loss in pieces", stack->name),
                        base});
        ways.back().document.framework = stack->id;
    }
    for (const int tokens : {1024, 512}) {
        if (!base.sequence_length) {
            ways.push_back({fmt::format("--sequence {}", tokens), fmt::format("fits with samples of {} tokens", tokens), base});
            ways.back().document.sequence_length = tokens;
        }
    }
    return ways;
}

/// Changes that turn a no into a yes, tried one by one.
void add_changes(Answer& reply,
                 const Query& query,
                 const Architecture& architecture,
                 const Cluster& cluster,
                 bool slow,
                 const AnswerTools& tools) {
    const auto helps = [&](const WorkloadDocument& document, const Cluster& on) {
        const auto placed = served(document, architecture, on, tools);
        return placed && placed->estimate.memory.fits && pace_of(*placed, query).middle;
    };
    if (query.workload.task == Task::train) {
        const Profiles& profiles = tools.knowledge.profiles;
        const bool text = architecture.network == std::nullopt;
        for (const LeanerWay& way : text ? leaner_ways(query.workload, profiles) : std::vector<LeanerWay>{}) {
            if (helps(way.document, cluster)) {
                reply.change.push_back({way.flags, way.effect});
            }
        }
        for (const Method method : {Method::lora, Method::qlora}) {
            if (!query.workload.method || method <= *query.workload.method ||
                trains_from_scratch(query.workload)) {
                continue;
            }
            WorkloadDocument other = query.workload;
            other.method = method;
            other.has_lora = true;
            const std::string flags = method == Method::lora ? "--method lora" : "--method qlora";
            const std::size_t before = reply.change.size();
            if (helps(other, cluster)) {
                reply.change.push_back({flags, "fits on the same hardware"});
                break;
            }
            if (!reply.change.empty() || !text) {
                continue;
            }
            for (const LeanerWay& way : leaner_ways(other, profiles)) {
                if (helps(way.document, cluster)) {
                    reply.change.push_back({flags + " " + way.flags, way.effect});
                }
            }
            if (reply.change.size() > before) {
                break;
            }
        }
        WorkloadDocument offloaded = query.workload;
        offloaded.offload_parameters = OffloadTarget::cpu;
        if (reply.change.empty() && helps(offloaded, cluster)) {
            reply.change.push_back({"--offload-parameters cpu", "fits with the weights on the host"});
        }
    }
    for (int count = cluster.count * 2; count <= std::min(64, cluster.count * 8); count *= 2) {
        const Cluster more =
            make_cluster(tools.knowledge.catalog, *cluster.accelerator, count, 0, nullptr);
        if (helps(query.workload, more)) {
            reply.change.push_back({fmt::format("--accelerators {}", count), "fits"});
            break;
        }
    }
    if (!reply.change.empty()) {
        reply.headline += fmt::format(
            " It {} with {}.", slow ? "is fast enough" : "fits", reply.change.front().flag);
    }
}

/// 4-bit weights on more of the same cards, and the types below them that one holds.
void add_narrow_weights(Answer& reply,
                        const WorkloadDocument& document,
                        const Architecture& architecture,
                        const Cluster& cluster,
                        const AnswerTools& tools) {
    const auto fits = [&](std::string_view type, int count) {
        WorkloadDocument narrower = document;
        narrower.quantization = std::string(type);
        const Cluster more =
            make_cluster(tools.knowledge.catalog, *cluster.accelerator, count, 0, nullptr);
        const auto placed = tools.place(narrower, architecture, more);
        return placed && placed->estimate.memory.fits;
    };
    for (int count = cluster.count * 2; count <= cluster.count * 8; count *= 2) {
        if (fits("q4_k_m", count)) {
            reply.change.push_back(
                {fmt::format("--quantization q4_k_m --accelerators {}", count), "fits"});
            break;
        }
    }
    for (const std::string_view type : {"q3_k_m", "q2_k", "iq2_m"}) {
        if (fits(type, cluster.count)) {
            reply.headline += fmt::format(" No type from q4_k_m up fits; {} would.", type);
            break;
        }
    }
}

/// Of a network whose batch does not fit whole: the micro-batch in which it does.
void add_micro_batch(Answer& reply,
                     const WorkloadDocument& document,
                     const Architecture& architecture,
                     const Cluster& cluster,
                     const AnswerTools& tools) {
    const auto placed = tools.place(document, architecture, cluster);
    if (placed && placed->estimate.memory.fits) {
        const int micro = placed->workload.batch.micro;
        reply.change.push_back({fmt::format("--micro-batch {}", micro), "fits, accumulated"});
    }
}

/// "No", where the stack that was asked for runs on none of the parts.
std::optional<Answer> without_a_build(const WorkloadDocument& document,
                                      const std::vector<Cluster>& clusters,
                                      const AnswerTools& tools) {
    const Profiles& profiles = tools.knowledge.profiles;
    const auto software = document.framework ? software_named(profiles, *document.framework)
                                             : Result<const SoftwareProfile*>(nullptr);
    std::string why;
    for (const Cluster& cluster : clusters) {
        std::string conflict = compute_conflict(*cluster.accelerator, document.compute);
        if (conflict.empty() && software && *software != nullptr) {
            conflict = chip_conflict(
                profiles, **software, *cluster.accelerator, document.quantization.value_or(""));
        }
        if (conflict.empty()) {
            return std::nullopt;
        }
        why = why.empty() ? conflict : why;
    }
    Answer reply;
    reply.verdict = "no";
    AnswerChoice choice;
    choice.accelerator = clusters.front().accelerator->id;
    choice.count = clusters.front().count;
    choice.verdict = reply.verdict;
    reply.choice = choice;
    reply.headline = "No: " + why + ".";
    return reply;
}

/// One task on all forms of the hardware.
Result<Answer> fit_of(const Query& query,
                      const std::vector<Cluster>& clusters,
                      const AnswerTools& tools) {
    WorkloadDocument document = query.workload;
    const auto architecture = tools.architecture(document);
    if (!architecture) {
        return tl::unexpected(architecture.error());
    }
    if (auto none = without_a_build(document, clusters, tools)) {
        return *none;
    }
    const WorkloadDocument accumulated = document;
    train_as_networks_do(document, *architecture, clusters.front().count);
    Judged best;
    std::string roomier;  // another form of the same part, where the usual one only just holds it
    for (const Cluster& cluster : clusters) {
        auto placed = served(document, *architecture, cluster, tools);
        const bool usual = best.reply && best.reply->verdict == "barely" && !best.waits &&
                           same_family(*clusters.front().accelerator, *cluster.accelerator);
        if (usual) {
            const bool roomy = placed && verdict_of(placed->estimate.memory) == "yes";
            roomier = roomy && roomier.empty() ? hardware_words(cluster) : roomier;
            continue;
        }
        keep_better(best, std::move(placed), query);
    }
    if (!roomier.empty()) {
        best.reply->headline += fmt::format(" {} has the room.", roomier);
    }
    const bool open_weights = document.task == Task::inference && !query.workload.quantization &&
                              !query.workload.compute && takes_narrow_weights(*architecture);
    const bool published = document.quantization && *document.quantization != "none";
    if (open_weights && !published && best.order < best_order) {
        for (const std::string_view type : usable_weights(*architecture)) {
            WorkloadDocument narrower = document;
            narrower.quantization = std::string(type);
            Judged trial;
            for (const Cluster& cluster : clusters) {
                keep_better(trial, served(narrower, *architecture, cluster, tools), query);
            }
            if (trial.reply && trial.order > best.order) {
                const std::string wide = best.reply ? best.reply->verdict : "no";
                const bool slow = best.slow;
                best = trial;
                best.reply->headline += slow               ? " 16-bit weights are slower."
                                        : wide == "barely" ? " 16-bit weights fit barely."
                                                           : " 16-bit weights do not fit.";
            }
            if (best.order == best_order) {
                break;
            }
        }
    }
    if (!best.reply) {
        return tl::unexpected(best.error.value_or(
            Error{ErrorKind::input, "hardware", "no hardware of the question is known", ""}));
    }
    if (best.reply->verdict == "no" && open_weights && !published) {
        add_narrow_weights(*best.reply, document, *architecture, clusters.front(), tools);
    }
    if (best.reply->verdict == "no" && document.micro_batch != accumulated.micro_batch) {
        add_micro_batch(*best.reply, accumulated, *architecture, clusters.front(), tools);
    }
    if (best.reply->verdict == "no" || best.slow) {
        Query asked = query;
        asked.workload = document;
        add_changes(*best.reply, asked, *architecture, clusters.front(), best.slow, tools);
    }
    return *best.reply;
}

/// Of training and serving each, where the question leaves open which is meant.
Result<Answer> fit_of_both(const Reading& reading,
                           const Query& query,
                           const std::vector<Cluster>& clusters,
                           const AnswerTools& tools) {
    Answer both;
    for (const Task task : {Task::inference, Task::train}) {
        auto one = fit_of(query_of(reading, task), clusters, tools);
        if (!one) {
            continue;
        }
        *one = reading.copies ? of_copies(std::move(*one), reading) : *one;
        *one = asks(reading, "failure") ? without_yes_and_no(std::move(*one)) : *one;
        both.headline += (both.headline.empty() ? "" : " ") + one->headline;
        both.choice = both.choice ? both.choice : one->choice;
        both.have_gib = one->have_gib;
        one->task = task == Task::train ? "training" : "inference";
        both.answers.push_back(std::move(*one));
    }
    if (both.answers.empty()) {
        return fit_of(query, clusters, tools);
    }
    const std::string& verdict = both.answers.front().verdict;
    if (both.answers.back().verdict == verdict) {
        both.verdict = verdict;
    }
    return both;
}

}  // namespace

Result<Answer> reply_fit(const Reading& reading, const Query& query, const AnswerTools& tools) {
    const auto known =
        known_clusters(reading, query, tools.knowledge.catalog, "can my rtx 4090 run llama-3.1-8b");
    if (!known) {
        return tl::unexpected(known.error());
    }
    const std::vector<Cluster>& clusters = *known;
    if (reading.task) {
        auto one = fit_of(query, clusters, tools);
        if (one && reading.copies) {
            *one = of_copies(std::move(*one), reading);
        }
        if (one && asks(reading, "failure")) {
            *one = without_yes_and_no(std::move(*one));
        }
        return one;
    }
    return fit_of_both(reading, query, clusters, tools);
}

}  // namespace ridgeline
