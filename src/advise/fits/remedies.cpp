#include "advise/fits/remedies.h"

#include "advise/answers/pace.h"
#include "advise/hardware/cluster.h"
#include "advise/hardware/desk.h"
#include "advise/placement/waiting.h"
#include "advise/stacks/lean.h"
#include "advise/stacks/stored_weights.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>

// What turns "it does not fit" into "it fits".

namespace ridgeline {
namespace {

bool trains_from_scratch(const WorkloadDocument& document) {
    return document.method == Method::full &&
           document.duration_tokens.value_or(0) >= least_tokens_from_scratch;
}

/// A change of training on the same hardware, as one would type it.
struct LeanerWay {
    std::string flags, effect;
    WorkloadDocument document;
};

/// Of rounds whose answers the policy writes: an engine that gives its memory back while others
/// compute, shorter answers.
std::vector<LeanerWay> ways_of_rounds(const WorkloadDocument& base) {
    std::vector<LeanerWay> ways;
    if (!base.preference->engine_sleeps) {
        ways.push_back({"--rollout-sleeps true", "fits with the engine asleep meanwhile", base});
        ways.back().document.preference->engine_sleeps = true;
    }
    constexpr double usual_answer = 1024;  // where no length was said
    const double told = base.preference->answer_tokens;
    for (const int tokens : {512, 256}) {
        if (base.preference->longest_tokens == 0 &&
            tokens < (told > 0 ? told : usual_answer) / 1.5) {
            ways.push_back({fmt::format("--response-tokens {}", tokens),
                            fmt::format("fits with answers of {} tokens", tokens), base});
            ways.back().document.preference->answer_tokens = tokens;
        }
    }
    return ways;
}

/// What takes less at the same method: a loss in pieces, a stack that has one, shorter sequences;
/// of pictures fewer frames, smaller ones.
std::vector<LeanerWay> leaner_ways(const WorkloadDocument& base, const Architecture& architecture,
                                   const Profiles& profiles, int accelerators) {
    std::vector<LeanerWay> ways;
    if (architecture.network) {
        for (LeanWay& way : lean_ways(profiles, base, architecture, accelerators)) {
            ways.push_back({way.flags, "fits with " + way.words, std::move(way.document)});
        }
        // Narrower frozen weights cost less time than their way from the host.
        if (base.method == Method::lora && architecture.kind == ModelKind::diffusion &&
            !base.quantization) {
            ways.push_back({"--method qlora", "fits with adapters over 4-bit weights", base});
            ways.back().document.method = Method::qlora;
        }
        if (auto way = swapped_blocks(profiles, base, architecture)) {
            ways.push_back({way->flags, "fits with " + way->words, std::move(way->document)});
        }
        const bool clips = frames_a_second(architecture) > 0;
        for (const int size :
             clips ? std::vector{49, 25, 17}
                   : std::vector{512, 256}) {  // clips have 4 n + 1 frames, or are cut to them
            if (architecture.kind == ModelKind::diffusion &&
                !(clips ? base.frames : base.image_size)) {
                ways.push_back({fmt::format("--{} {}", clips ? "frames" : "image-size", size),
                                fmt::format("fits with {} of {} {}", clips ? "clips" : "pictures",
                                            size, clips ? "frames" : "px"),
                                base});
                (clips ? ways.back().document.frames : ways.back().document.image_size) = size;
            }
        }
        return ways;
    }
    for (LeanWay& way : lean_ways(profiles, base, architecture, accelerators)) {
        ways.push_back({way.flags, "fits with " + way.words, std::move(way.document)});
    }
    const bool generates = base.preference && base.preference->generates();
    for (LeanerWay& way : generates ? ways_of_rounds(base) : std::vector<LeanerWay>()) {
        ways.push_back(std::move(way));
    }
    for (const int tokens : {1024, 512}) {
        if (!base.sequence_length && !generates) {
            ways.push_back({fmt::format("--sequence {}", tokens),
                            fmt::format("fits with samples of {} tokens", tokens), base});
            ways.back().document.sequence_length = tokens;
        }
    }
    return ways;
}

/// What parts the states or keeps them off the cards, at the same method on the same hardware. The
/// frozen weights of adapters are rather narrowed than moved.
std::vector<LeanerWay> ways_of_states(const WorkloadDocument& base, bool texts, int accelerators) {
    std::vector<LeanerWay> ways;
    const std::string stack = base.framework.value_or("torchtune");
    const bool open = !base.optimizer_state && !base.optimizer_implementation &&
                      !base.optimizer_in_backward && base.optimizer.value_or("adamw") == "adamw";
    if (accelerators == 1 && base.method == Method::full && texts && open && stack == "torchtune") {
        // recipes/configs/llama3_1/8B_full_single_device.yaml
        LeanerWay way{
            "--framework torchtune --optimizer-state int8 --optimizer-implementation "
            "paged --optimizer-in-backward true --recompute full",
            "torchtune's recipe of one card (paged 8-bit states)", base};
        way.document.framework = stack;
        way.document.optimizer_state = DType::int8;
        way.document.optimizer_implementation = OptimizerImplementation::paged;
        way.document.optimizer_in_backward = true;
        way.document.recompute = RecomputeMode::full;
        ways.push_back(std::move(way));
    }
    if (accelerators > 1 && base.sharding && *base.sharding != Sharding::fsdp) {
        ways.push_back({"--sharding fsdp", "weights and states in parts", base});
        ways.back().document.sharding = Sharding::fsdp;
    }
    if (base.method == Method::qlora && base.quantization == "int8") {
        ways.push_back({"--quantization nf4", "weights in 4 bits", base});
        ways.back().document.quantization.reset();
    }
    if (base.method == Method::full && !base.offload_optimizer && !base.offload_parameters) {
        WorkloadDocument document = base;
        document.offload_optimizer = OffloadTarget::cpu;
        ways.push_back({"--offload-optimizer cpu", "the optimizer's states on the host", document});
        document.offload_parameters = OffloadTarget::cpu;
        ways.push_back({"--offload-optimizer cpu --offload-parameters cpu",
                        "weights and states on the host", document});
    }
    return ways;
}

/// Of a maker's cards for a desk the one with the least memory that does it; null: none does.
template <typename Does>
const Accelerator* roomier_card(const Accelerator& than, const Catalog& catalog, Does does) {
    std::map<double, const Accelerator*> cards;  // the newest of each memory
    for (const Accelerator& part : catalog.accelerators) {
        const bool card = part.vendor == than.vendor && stands_at_a_desk(part) &&
                          !is_one_computer(part) && part.marketed_gb > than.marketed_gb;
        if (card &&
            (!cards.contains(part.marketed_gb) || cards[part.marketed_gb]->year < part.year)) {
            cards[part.marketed_gb] = &part;
        }
    }
    const auto found =
        std::ranges::find_if(cards, [&](const auto& each) { return does(*each.second); });
    return found == cards.end() ? nullptr : found->second;
}

constexpr const char* waiting_parts = " with each part of the pipeline on the host until its turn";

/// Tries what would make a workload fit, one change after another, and notes what does.
class FitChanges {
public:
    FitChanges(Answer& reply, const Query& query, const Architecture& architecture,
               const Cluster& cluster, const AnswerTools& tools)
        : reply_(reply),
          query_(query),
          architecture_(architecture),
          cluster_(cluster),
          tools_(tools) {}

    /// The same method with less kept goes before another method.
    void leaner_training() {
        const Profiles& profiles = tools_.knowledge.profiles;
        for (const LeanerWay& way :
             leaner_ways(query_.workload, architecture_, profiles, cluster_.count)) {
            if (helps(way.document, cluster_)) {
                note(way.flags, way.effect);
            }
        }
        for (const LeanerWay& way :
             ways_of_states(query_.workload, !architecture_.stacks.empty(), cluster_.count)) {
            if (reply_.change.empty() && helps(way.document, cluster_)) {
                note(way.flags, "fits with " + way.effect);
                kept_ = fmt::format(" ({}{})", way.effect, on_host_);
            }
        }
        const bool whole =
            architecture_.network && architecture_.kind != ModelKind::diffusion;  // no adapters
        if (whole || trains_from_scratch(query_.workload)) {
            return;
        }
        for (const Method method : {Method::lora, Method::qlora}) {
            const std::optional<Method> asked = query_.workload.method;
            if (asked && method > *asked && adapters(method)) {
                return;
            }
        }
    }

    void weights_on_host() {
        WorkloadDocument offloaded = query_.workload;
        offloaded.offload_parameters = OffloadTarget::cpu;
        const bool may_wait =
            query_.workload.task == Task::train || architecture_.kind == ModelKind::diffusion;
        if (may_wait && reply_.change.empty() && helps(offloaded, cluster_)) {
            note("--offload-parameters cpu", "fits with the weights on the host");
        }
        const SoftwareProfile* streams = streaming_stack(tools_.knowledge.profiles);
        offloaded = query_.workload;
        if (may_wait && reply_.change.empty() && streams != nullptr && !offloaded.framework &&
            offloaded.task == Task::inference && cluster_.count == 1) {
            offloaded.framework = streams->id;
            if (helps(offloaded, cluster_)) {
                note("--framework " + streams->id,
                     "fits with weights read from the host in each pass");
            }
        }
    }

    void more_hardware() {
        const Accelerator& part = *cluster_.accelerator;
        if (is_one_computer(part)) {
            return;  // that nobody joins to a second one
        }
        // No desk has eight cards.
        const bool desk = stands_at_a_desk(part) && cluster_.count <= cards_of_a_desk;
        const int most = desk ? cards_of_a_desk : std::min(64, cluster_.count * 8);
        for (int count = cluster_.count * 2; count <= most; count *= 2) {
            if (helps(query_.workload, cards(part, count))) {
                note(fmt::format("--accelerators {}", count), "fits");
                return;
            }
        }
        if (!reply_.change.empty() || !desk || cluster_.count > 1) {
            return;
        }
        const Accelerator* card = roomier_card(
            part, tools_.knowledge.catalog,
            [&](const Accelerator& each) { return helps(query_.workload, cards(each, 1)); });
        if (card != nullptr) {
            note(fmt::format("--memory {:g}GB", card->marketed_gb),
                 "fits on one card of that memory");
        }
    }

    /// The first of them ends the first line.
    void tell(bool slow) const {
        if (reply_.change.empty()) {
            return;
        }
        const AnswerChange& first = reply_.change.front();
        const bool close = first.effect.starts_with("barely");
        // A recipe of many flags is told by its name; the flags stand in the list of changes.
        constexpr std::size_t most_letters = 60;
        const std::size_t name = first.effect.find(" with ");
        const bool recipe = first.flag.size() > most_letters && name != std::string::npos;
        const std::string how = recipe ? first.effect.substr(name + 6) : first.flag + kept_;
        reply_.headline += fmt::format(" It {} with {}{}.",
                                       slow    ? "is fast enough"
                                       : close ? "barely fits"
                                               : "fits",
                                       how, other_method_);
    }

private:
    [[nodiscard]] Cluster cards(const Accelerator& part, int count) const {
        return make_cluster(tools_.knowledge.catalog, part, count, 0, nullptr);
    }

    bool helps(const WorkloadDocument& document, const Cluster& on) {
        auto placed = tools_.place(document, architecture_, on);
        if (!placed) {
            return false;
        }
        let_requests_wait(tools_.knowledge, document, on, nullptr, *placed);
        const double gib = placed->estimate.memory.host / gibibyte;
        on_host_ = gib > 0 ? fmt::format(", {} there", format_gib(gib)) : "";
        barely_ = verdict_of(placed->estimate.memory) == "barely";
        return placed->estimate.memory.fits && pace_of(*placed, query_).middle &&
               std::ranges::none_of(placed->findings, [](const Finding& each) {
                   return each.rule == "host_memory_too_small";
               });
    }

    /// Of the change that was tried last.
    void note(const std::string& flags, const std::string& effect) {
        const bool close = barely_ && effect.starts_with("fits");
        reply_.change.push_back({flags, (close ? "barely " : "") + effect});
    }

    /// Whether another method helps, as it is or made leaner.
    bool adapters(Method method) {
        WorkloadDocument other = query_.workload;
        other.method = method;
        other.has_lora = true;
        const std::string flags = method == Method::lora ? "--method lora" : "--method qlora";
        if (std::ranges::find(reply_.change, flags, &AnswerChange::flag) != reply_.change.end()) {
            return true;
        }
        if (helps(other, cluster_)) {
            note(flags, "fits on the same hardware");
            other_method_ = kept_.empty() ? "" : ", or with " + flags;
            return true;
        }
        if (!reply_.change.empty()) {
            return false;
        }
        for (const LeanerWay& way :
             leaner_ways(other, architecture_, tools_.knowledge.profiles, cluster_.count)) {
            if (way.document.method == method && helps(way.document, cluster_)) {
                note(flags + " " + way.flags, way.effect);
            }
        }
        return !reply_.change.empty();
    }

    Answer& reply_;
    const Query& query_;
    const Architecture& architecture_;
    const Cluster& cluster_;
    const AnswerTools& tools_;
    std::string on_host_;  ///< how much the change that was tried last leaves there
    bool barely_ = false;  ///< whether it leaves room for the middle alone
    std::string kept_;     ///< of a way that keeps the method: what it moves
    std::string other_method_;
};

}  // namespace

void add_changes(Answer& reply, const Query& query, const Architecture& architecture,
                 const Cluster& cluster, bool slow, const AnswerTools& tools) {
    FitChanges changes(reply, query, architecture, cluster, tools);
    if (query.workload.task == Task::train) {
        changes.leaner_training();
    }
    changes.weights_on_host();
    changes.more_hardware();
    changes.tell(slow);
}

void add_narrow_weights(Answer& reply, const WorkloadDocument& document,
                        const Architecture& architecture, const Cluster& cluster,
                        const AnswerTools& tools) {
    bool barely = false;  // of what fits: whether its middle alone does
    const auto fits = [&](std::string_view type, int count,
                          std::optional<OffloadTarget> parameters = {}) {
        WorkloadDocument narrower = document;
        narrower.offload_parameters = parameters ? parameters : document.offload_parameters;
        narrower.quantization = std::string(type);
        const Cluster more =
            make_cluster(tools.knowledge.catalog, *cluster.accelerator, count, 0, nullptr);
        const auto placed = tools.place(narrower, architecture, more);
        barely = placed && verdict_of(placed->estimate.memory) == "barely";
        return placed && placed->estimate.memory.fits;
    };
    const auto how = [&] { return std::string(barely ? "barely fits" : "fits"); };
    const Accelerator* const part = cluster.accelerator;
    auto types =
        weights_to_try(document, architecture, std::span(&part, 1), tools.knowledge.profiles);
    const bool one = is_one_computer(*part);  // that nobody joins to a second one
    if (one) {
        add_types_below_usual(types, architecture);
    }
    if (const auto said = std::find(types.begin(), types.end(), document.quantization.value_or(""));
        said != types.end()) {
        types.erase(types.begin(), said + 1);  // what is asked, and wider ones, do not fit
        if (types.empty()) {
            return;
        }
    }
    const bool pipeline = architecture.kind == ModelKind::diffusion;
    if (pipeline && document.quantization && !document.offload_parameters &&
        fits(*document.quantization, cluster.count, OffloadTarget::cpu)) {
        // The weights that were asked for, before narrower ones.
        reply.change.push_back({"--offload-parameters cpu", how() + waiting_parts});
    }
    const std::string_view narrowest = types.empty() ? std::string_view("q4_k_m") : types.back();
    const auto narrower = std::ranges::find_if(
        types, [&](std::string_view type) { return fits(type, cluster.count); });
    if (narrower != types.end()) {
        reply.change.push_back({fmt::format("--quantization {}", *narrower), how()});
    } else if (pipeline && reply.change.empty()) {
        const auto waiting = std::ranges::find_if(types, [&](std::string_view type) {
            return fits(type, cluster.count, OffloadTarget::cpu);
        });
        if (waiting != types.end()) {
            reply.change.push_back(
                {fmt::format("--quantization {} --offload-parameters cpu", *waiting),
                 how() + waiting_parts});
        }
    }
    for (int count = cluster.count * 2; !one && count <= cluster.count * 8; count *= 2) {
        if (fits(narrowest, count)) {
            reply.change.push_back(
                {fmt::format("--quantization {} --accelerators {}", narrowest, count), how()});
            break;
        }
    }
    for (const std::string_view type : {"q2_k", "iq2_m", "iq2_xs"}) {
        if (reply.change.empty() && (one || narrowest == "q4_k_m") && fits(type, cluster.count)) {
            reply.headline += fmt::format(" No type of 3 bits or more fits; {} would.", type);
            break;
        }
    }
}

void add_wired_limit(Answer& reply, const Accelerator& part) {
    // What macOS and its programs keep, assumed: mlx-lm's README has the limit raised to less than
    // the memory of the machine, without a figure.
    const double system = std::max(4.0, 0.1 * part.marketed_gb);
    const double most = part.marketed_gb - system;
    if (part.vendor != "Apple" || !reply.needs || reply.needs->mid > most) {
        return;
    }
    constexpr int step = 512;
    const int mib = static_cast<int>(most * 1024) / step * step;
    const std::string flag = fmt::format("sudo sysctl iogpu.wired_limit_mb={}", mib);
    reply.change.push_back({flag, "fits, with the limit of the GPU's memory raised"});
    reply.headline += fmt::format(
        " With the limit of the GPU's memory raised ({}) it fits{}, {:g} GB left to the system.",
        flag, reply.needs->high > most ? " barely" : "", system);
}

void add_micro_batch(Answer& reply, const WorkloadDocument& document,
                     const Architecture& architecture, const Cluster& cluster,
                     const AnswerTools& tools) {
    const auto placed = tools.place(document, architecture, cluster);
    if (placed && placed->estimate.memory.fits) {
        const int micro = placed->workload.batch.micro;
        reply.change.push_back({fmt::format("--micro-batch {}", micro), "fits, accumulated"});
    }
}

}  // namespace ridgeline
