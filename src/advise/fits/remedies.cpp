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

/// What takes less at the same method: a loss in pieces, a stack that has one, shorter sequences;
/// of pictures fewer frames, smaller ones.
std::vector<LeanerWay> leaner_ways(const WorkloadDocument& base, const Architecture& architecture,
                                   const Profiles& profiles, int accelerators) {
    std::vector<LeanerWay> ways;
    if (architecture.network) {
        for (LeanWay& way : lean_ways(profiles, base, architecture, accelerators)) {
            ways.push_back({way.flags, "fits with " + way.words, std::move(way.document)});
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
    for (const int tokens : {1024, 512}) {
        if (!base.sequence_length) {
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

}  // namespace

void add_changes(Answer& reply, const Query& query, const Architecture& architecture,
                 const Cluster& cluster, bool slow, const AnswerTools& tools) {
    std::string on_host;  // how much of it the way that helps leaves there
    bool barely = false;  // whether the way that helps leaves room for the middle alone
    const auto helps = [&](const WorkloadDocument& document, const Cluster& on) {
        auto placed = tools.place(document, architecture, on);
        if (placed) {
            let_requests_wait(tools.knowledge, document, on, nullptr, *placed);
            const double gib = placed->estimate.memory.host / gibibyte;
            on_host = gib > 0 ? fmt::format(", {} there", format_gib(gib)) : "";
            barely = verdict_of(placed->estimate.memory) == "barely";
        }
        return placed && placed->estimate.memory.fits && pace_of(*placed, query).middle &&
               std::ranges::none_of(placed->findings, [](const Finding& each) {
                   return each.rule == "host_memory_too_small";
               });
    };
    const auto how = [&](const std::string& effect) {
        return (barely && effect.starts_with("fits") ? "barely " : "") + effect;
    };
    std::string kept;  // of a way that keeps the method: what it moves
    std::string other_method;
    if (query.workload.task == Task::train) {
        const Profiles& profiles = tools.knowledge.profiles;
        for (const LeanerWay& way :
             leaner_ways(query.workload, architecture, profiles, cluster.count)) {
            if (helps(way.document, cluster)) {
                reply.change.push_back({way.flags, how(way.effect)});
            }
        }
        // What keeps the method goes before another one.
        for (const LeanerWay& way :
             ways_of_states(query.workload, !architecture.stacks.empty(), cluster.count)) {
            if (reply.change.empty() && helps(way.document, cluster)) {
                reply.change.push_back({way.flags, how("fits with " + way.effect)});
                kept = fmt::format(" ({}{})", way.effect, on_host);
            }
        }
        for (const Method method : {Method::lora, Method::qlora}) {
            const bool whole =
                architecture.network && architecture.kind != ModelKind::diffusion;  // no adapters
            if (!query.workload.method || method <= *query.workload.method || whole ||
                trains_from_scratch(query.workload)) {
                continue;
            }
            WorkloadDocument other = query.workload;
            other.method = method;
            other.has_lora = true;
            const std::string flags = method == Method::lora ? "--method lora" : "--method qlora";
            const std::size_t before = reply.change.size();
            if (helps(other, cluster)) {
                reply.change.push_back({flags, how("fits on the same hardware")});
                other_method = kept.empty() ? "" : ", or with " + flags;
                break;
            }
            if (!reply.change.empty()) {
                continue;
            }
            for (const LeanerWay& way : leaner_ways(other, architecture, profiles, cluster.count)) {
                if (helps(way.document, cluster)) {
                    reply.change.push_back({flags + " " + way.flags, how(way.effect)});
                }
            }
            if (reply.change.size() > before) {
                break;
            }
        }
    }
    WorkloadDocument offloaded = query.workload;
    offloaded.offload_parameters = OffloadTarget::cpu;
    const bool may_wait =
        query.workload.task == Task::train || architecture.kind == ModelKind::diffusion;
    if (may_wait && reply.change.empty() && helps(offloaded, cluster)) {
        reply.change.push_back(
            {"--offload-parameters cpu", how("fits with the weights on the host")});
    }
    const bool one = is_one_computer(*cluster.accelerator);  // that nobody joins to a second one
    // No desk has eight cards.
    const bool desk = stands_at_a_desk(*cluster.accelerator) && cluster.count <= cards_of_a_desk;
    const int most = desk ? cards_of_a_desk : std::min(64, cluster.count * 8);
    for (int count = cluster.count * 2; !one && count <= most; count *= 2) {
        const Cluster more =
            make_cluster(tools.knowledge.catalog, *cluster.accelerator, count, 0, nullptr);
        if (helps(query.workload, more)) {
            reply.change.push_back({fmt::format("--accelerators {}", count), how("fits")});
            break;
        }
    }
    if (reply.change.empty() && desk && cluster.count == 1 && !one) {
        if (const Accelerator* card = roomier_card(
                *cluster.accelerator, tools.knowledge.catalog, [&](const Accelerator& each) {
                    return helps(query.workload,
                                 make_cluster(tools.knowledge.catalog, each, 1, 0, nullptr));
                })) {
            reply.change.push_back({fmt::format("--memory {:g}GB", card->marketed_gb),
                                    how("fits on one card of that memory")});
        }
    }
    if (!reply.change.empty()) {
        const AnswerChange& first = reply.change.front();
        const bool close = first.effect.starts_with("barely");
        // A recipe of many flags is told by its name; the flags stand in the list of changes.
        constexpr std::size_t most_letters = 60;
        const std::size_t name = first.effect.find(" with ");
        const bool recipe = first.flag.size() > most_letters && name != std::string::npos;
        const std::string how_to = recipe ? first.effect.substr(name + 6) : first.flag + kept;
        reply.headline += fmt::format(" It {} with {}{}.",
                                      slow    ? "is fast enough"
                                      : close ? "barely fits"
                                              : "fits",
                                      how_to, other_method);
    }
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
    const std::string_view narrowest = types.empty() ? std::string_view("q4_k_m") : types.back();
    const auto narrower = std::ranges::find_if(
        types, [&](std::string_view type) { return fits(type, cluster.count); });
    if (narrower != types.end()) {
        reply.change.push_back({fmt::format("--quantization {}", *narrower), how()});
    } else if (architecture.kind == ModelKind::diffusion) {
        const auto waiting = std::ranges::find_if(types, [&](std::string_view type) {
            return fits(type, cluster.count, OffloadTarget::cpu);
        });
        if (waiting != types.end()) {
            reply.change.push_back(
                {fmt::format("--quantization {} --offload-parameters cpu", *waiting),
                 how() + " with each part of the pipeline on the host until its turn"});
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
