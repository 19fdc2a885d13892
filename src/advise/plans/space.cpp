#include "advise/plans/space.h"

#include "estimate/resolve/legality.h"

#include <algorithm>
#include <numeric>

namespace ridgeline {
namespace {

// Tokens of a micro-batch from which matrix products no longer gain from more rows (a few tiles for
// each of some hundred units).
constexpr int full_product_tokens = 8192;
// Weights were gathered over so many ranks where that was measured (Zhao et al. 2023, "PyTorch
// FSDP": 512 A100); larger published runs part the layers first (Llama 3: 128 ranks beside tensor 8
// and pipeline 16).
constexpr int most_gathering_ranks = 512;
constexpr int long_sequence = 32768;  // from here one sequence may be cut over ranks

std::vector<int> divisors(int number) {
    std::vector<int> small;
    std::vector<int> large;
    for (int i = 1; static_cast<long long>(i) * i <= number; ++i) {
        if (number % i == 0) {
            small.push_back(i);
            if (i != number / i) {
                large.push_back(number / i);
            }
        }
    }
    small.insert(small.end(), large.rbegin(), large.rend());
    return small;
}

/// Samples of a network's micro-batch beyond which its kernels gain nothing.
constexpr int most_images = 256;

/// Divisors of the cluster that are legal as one size of a plan, the others being 1.
template <typename Set>
std::vector<int> legal_sizes(const Workload& base, const Architecture& architecture,
                             const Cluster& cluster, Set set) {
    std::vector<int> legal;
    for (const int size : divisors(training_accelerators(base, cluster.count))) {
        Workload trial = base;
        trial.preference.reset();
        trial.plan = Plan{};
        trial.batch.micro = 1;
        trial.batch.global = size;
        Cluster some = cluster;
        some.count = size;
        set(trial.plan, size);
        if (check_plan(architecture, trial, some)) {
            legal.push_back(size);
        }
    }
    return legal;
}

void open_shape(PlanSpace& space, const Workload& base, const Architecture& architecture,
                const ParallelSupport& spreads, const Cluster& cluster) {
    const bool model = base.method == Method::full || spreads.adapters;
    const auto sizes = [&](bool supported, auto set) {
        return supported ? legal_sizes(base, architecture, cluster, set) : std::vector<int>{1};
    };
    space.tensor = sizes(spreads.tensor && model, [](Plan& p, int size) { p.tensor = size; });
    space.context = sizes(spreads.context, [](Plan& p, int size) { p.context = size; });
    space.sequence_parallel = {true, false};
    const bool staged = spreads.pipeline && model && architecture.stacks.size() == 1;
    space.pipeline = sizes(staged, [](Plan& p, int size) { p.pipeline = size; });
    if (staged) {
        space.virtual_pipeline.resize(static_cast<std::size_t>(architecture.text().layers) + 2);
        std::iota(space.virtual_pipeline.begin(), space.virtual_pipeline.end(), 1);
    }
}

/// The shardings of one family: what FSDP and DeepSpeed call their levels do not mix.
std::vector<Sharding> family_of(Sharding usual) {
    switch (usual) {
        case Sharding::zero1:
        case Sharding::zero2:
        case Sharding::zero3:
            return {Sharding::ddp, Sharding::zero1, Sharding::zero2, Sharding::zero3};
        default:
            return {Sharding::ddp, Sharding::fsdp, Sharding::hsdp};
    }
}

bool shards_in_full(Sharding sharding) {
    return sharding == Sharding::fsdp || sharding == Sharding::hsdp || sharding == Sharding::zero3;
}

void open_sharding(PlanSpace& space, const SoftwareProfile& software, int count) {
    space.sharding = family_of(software.defaults.sharding);
    if (software.support.always_shards) {
        std::erase(space.sharding, Sharding::ddp);
    }
    if (software.support.shards_optimizer_alone) {
        std::erase(space.sharding, Sharding::zero2);
        std::erase(space.sharding, Sharding::zero3);
    }
    space.shard_groups = divisors(count);
    space.reshard_after_forward = {true, false};
}

/// What a workload leaves on the device may also go to the host, where the stack can do that.
void open_offload(PlanSpace& space, const ParallelSupport& support) {
    const auto open = [](std::vector<OffloadTarget>& targets, bool supported) {
        if (supported && targets.front() == OffloadTarget::none) {
            targets.push_back(OffloadTarget::cpu);
        }
    };
    open(space.offload_optimizer, support.offload_optimizer);
    open(space.offload_parameters, support.offload_parameters);
}

void stated(PlanSpace& space, const Workload& base) {
    const Plan& plan = base.plan;
    space.tensor = {plan.tensor};
    space.pipeline = {plan.pipeline};
    space.virtual_pipeline = {plan.virtual_pipeline};
    space.context = {plan.context};
    space.expert = {plan.expert};
    space.micro = {base.batch.micro};
    space.sequence_parallel = {plan.sequence_parallel};
    space.sharding = {plan.sharding};
    space.shard_groups = {plan.shard_group};
    space.reshard_after_forward = {plan.reshard_after_forward};
    space.recompute = {plan.recompute};
    space.offload_optimizer = {plan.offload_optimizer};
    space.offload_parameters = {plan.offload_parameters};
    space.offload_activations = {plan.offload_activations};
}

}  // namespace

PlanSpace whole_space(const Workload& base, const Architecture& architecture,
                      const SoftwareProfile& software, const Cluster& cluster,
                      const PlanFreedom& free) {
    PlanSpace space;
    stated(space, base);
    const ParallelSupport& spreads = software.support;
    if (free.shape) {
        open_shape(space, base, architecture, spreads, cluster);
    }
    const bool experts = !architecture.stacks.empty() && architecture.text().moe;
    if (free.expert && spreads.expert && experts) {
        space.expert = divisors(architecture.text().moe->experts);
    }
    if (free.sharding) {
        if (!only_copies(base, architecture, cluster, free)) {
            open_sharding(space, software, training_accelerators(base, cluster.count));
        }
        open_offload(space, software.support);
    }
    if (free.recompute) {
        space.recompute = {RecomputeMode::none, RecomputeMode::selective, RecomputeMode::full};
        space.layer_counts = true;
        const bool kept = base.plan.offload_activations == OffloadTarget::none;
        if (kept && software.support.offload_activations) {
            space.offload_activations.push_back(OffloadTarget::cpu);
        }
    }
    space.raises_global = free.global;
    if (free.micro && free.global) {
        space.micro = {1, 2, 4, 8, 16, 32, 64};
        if (architecture.network || architecture.reads_images()) {
            space.micro.insert(space.micro.end(), {128, most_images});
        }
    } else if (free.micro) {
        space.micro = divisors(base.batch.global);
    }
    return space;
}

PlanSpace usual_space(const Workload& base, const Architecture& architecture,
                      const SoftwareProfile& software, const Cluster& cluster,
                      const PlanFreedom& free) {
    PlanSpace space = whole_space(base, architecture, software, cluster, free);
    const auto at_most = [](std::vector<int>& sizes, int most) {
        std::erase_if(sizes, [most](int size) { return size > most; });
    };
    const int tokens = std::max(1, base.batch.sequence_length);
    if (free.shape) {
        at_most(space.tensor, std::min(cluster.per_node, 8));
        at_most(space.virtual_pipeline, 2);
        at_most(space.context, tokens >= long_sequence ? std::min(cluster.per_node, 8) : 1);
        space.sequence_parallel = {true};
    }
    if (free.expert) {
        at_most(space.expert, std::min(cluster.per_node, 64));
    }
    if (free.micro) {
        const int most = std::clamp(full_product_tokens / tokens, 1, 16);
        at_most(space.micro,
                architecture.network || architecture.reads_images() ? most_images : most);
    }
    if (free.sharding) {
        space.shard_groups = {cluster.per_node};
        const bool parts = software.support.tensor || software.support.pipeline;
        space.most_fully_sharded = free.shape && parts ? most_gathering_ranks : 0;
        space.reshard_after_forward = {true};
        space.offload_optimizer = {base.plan.offload_optimizer};
        space.offload_parameters = {base.plan.offload_parameters};
    }
    if (free.recompute) {
        space.layer_counts = false;
        space.offload_activations = {base.plan.offload_activations};
    }
    return space;
}

std::vector<HoldingChoice> holding_choices(const PlanSpace& space, int ranks, int pipeline) {
    std::vector<HoldingChoice> choices;
    const auto add = [&](HoldingChoice choice) {
        const bool sharded = shards_in_full(choice.sharding);
        for (const OffloadTarget optimizer : space.offload_optimizer) {
            for (const OffloadTarget parameters : space.offload_parameters) {
                // Only parameters that are gathered for each pass can wait on the host, and no
                // stack leaves them there without their states.
                const bool open = space.offload_parameters.size() > 1;
                const bool alone = optimizer == OffloadTarget::none;
                if (parameters != OffloadTarget::none && open && (!sharded || alone)) {
                    continue;
                }
                choice.offload_optimizer = optimizer;
                choice.offload_parameters = parameters;
                choices.push_back(choice);
            }
        }
    };
    for (const Sharding sharding : space.sharding) {
        const bool open = space.sharding.size() > 1;
        if (ranks == 1 && open) {
            add({.sharding = Sharding::none});
            break;
        }
        // Gradients that are sharded before the last micro-batch do not go with a pipeline's
        // accumulation (DeepSpeed asserts ZeRO stage < 2 in PipelineEngine).
        const bool wide = space.most_fully_sharded > 0 && ranks > space.most_fully_sharded;
        if (open && wide && (sharding == Sharding::fsdp || sharding == Sharding::zero3)) {
            continue;
        }
        const bool zero = sharding == Sharding::zero2 || sharding == Sharding::zero3;
        if (zero && open && pipeline > 1) {
            continue;
        }
        for (const bool reshard : space.reshard_after_forward) {
            if (!reshard && open && !shards_in_full(sharding)) {
                continue;
            }
            if (sharding != Sharding::hsdp) {
                const int group = open                         ? 0
                                  : space.shard_groups.empty() ? 0
                                                               : space.shard_groups.front();
                add({.sharding = sharding, .shard_group = group, .reshard_after_forward = reshard});
                continue;
            }
            for (const int group : space.shard_groups) {
                const bool proper = group > 1 && group < ranks && ranks % group == 0;
                if (proper || !open) {
                    add({.sharding = sharding,
                         .shard_group = group,
                         .reshard_after_forward = reshard});
                }
            }
        }
    }
    return choices;
}

}  // namespace ridgeline
