#include "advise/plans/walk.h"

#include "advise/stacks/pretraining.h"
#include "estimate/resolve/legality.h"

#include <algorithm>

namespace ridgeline {
namespace {

bool spreads_weights(Sharding sharding) {
    return sharding == Sharding::fsdp || sharding == Sharding::hsdp || sharding == Sharding::zero3;
}

bool copies_whole_weights(const EstimateInput& input) {
    return input.software.runtime.options.autocast && input.workload.method == Method::full &&
           input.workload.weights == DType::fp32;
}

/// A batch that nobody stated may grow by so much to a whole number of passes.
constexpr double rounding_of_batch = 1.25;

/// More samples a step than train a run from scratch best.
bool beyond_best_batch(const Workload& workload, long long global) {
    return is_pretraining(workload) &&
           static_cast<double>(global) > rounding_of_batch * workload.batch.global;
}

long long next_multiple(long long number, long long of) { return (number + of - 1) / of * of; }

/// Passes in whole rounds of the stages, which interleaved chunks need (Narayanan et al. 2021); 0:
/// that is too far.
long long interleaved_batch(const PlanSpace& space, const Workload& workload, long long global,
                            long long round) {
    const long long raised = space.raises_global ? next_multiple(global, round) : global;
    const bool near =
        static_cast<double>(raised) <=
        rounding_of_batch * static_cast<double>(std::max<long long>(global, workload.batch.global));
    return raised % round == 0 && near ? raised : 0;
}

}  // namespace

std::vector<BlockChoice> block_choices(const EstimateInput& input, const PlanSpace& space) {
    std::vector<BlockChoice> choices;
    const long long count = training_accelerators(input.workload, input.cluster.count);
    const auto add = [&](BlockChoice choice) {
        if (!copies_whole_weights(input)) {
            choices.push_back(choice);
            return;
        }
        choice.mixed = false;
        for (const bool in_full : {false, true}) {
            choice.in_full = in_full;
            choices.push_back(choice);
        }
    };
    for (const int tensor : space.tensor) {
        for (const int context : space.context) {
            if (count % (1LL * tensor * context) != 0) {
                continue;
            }
            for (const int expert : space.expert) {
                for (const int micro : space.micro) {
                    // Without tensor parallelism there is nothing to spread.
                    if (tensor == 1) {
                        add({tensor, context, expert, micro, false});
                        continue;
                    }
                    for (const bool sequence : space.sequence_parallel) {
                        add({tensor, context, expert, micro, sequence});
                    }
                }
            }
        }
    }
    return choices;
}

void put(const BlockChoice& choice, Workload& workload) {
    workload.plan.tensor = choice.tensor;
    workload.plan.context = choice.context;
    workload.plan.expert = choice.expert;
    workload.plan.sequence_parallel = choice.sequence_parallel;
    workload.batch.micro = choice.micro;
    if (!choice.mixed) {
        workload.plan.sharding = choice.in_full ? Sharding::fsdp : Sharding::none;
    }
}

std::vector<StageChoice> stage_choices(const EstimateInput& input, const PlanSpace& space,
                                       const BlockChoice& block) {
    std::vector<StageChoice> choices;
    const long long count = training_accelerators(input.workload, input.cluster.count);
    const int layers = input.architecture.stacks.empty() ? 1 : input.architecture.text().layers;
    for (const int pipeline : space.pipeline) {
        const long long ranks = 1LL * block.tensor * block.context * pipeline;
        if (count % ranks != 0) {
            continue;
        }
        const int data = static_cast<int>(count / ranks);
        const long long pass = 1LL * block.micro * data;
        long long global = input.workload.batch.global;
        if (space.raises_global) {
            global = std::max(pass, next_multiple(global, pass));
            if (beyond_best_batch(input.workload, global)) {
                continue;
            }
        }
        // Whose weights are stepped in the backward pass adds up no gradients.
        const bool one_pass = input.workload.optimizer_in_backward;
        global = one_pass && space.raises_global ? pass : global;
        const long long group = 1LL * data * block.context * block.tensor;
        if ((one_pass && global != pass) || global % pass != 0 || group % block.expert != 0 ||
            global > 2'000'000'000) {
            continue;
        }
        for (const int chunks : space.virtual_pipeline) {
            const bool stages =
                chunks == 1 || (pipeline > 1 && 1LL * pipeline * chunks <= layers + 2);
            const long long batch =
                chunks == 1 || !stages
                    ? global
                    : interleaved_batch(space, input.workload, global, pass * pipeline);
            if (stages && batch > 0 && !beyond_best_batch(input.workload, batch)) {
                choices.push_back({data, pipeline, chunks, static_cast<int>(batch)});
            }
        }
    }
    return choices;
}

void put(const StageChoice& choice, Workload& workload) {
    workload.plan.data = choice.data;
    workload.plan.pipeline = choice.pipeline;
    workload.plan.virtual_pipeline = choice.virtual_pipeline;
    workload.batch.global = choice.global;
}

std::vector<RecomputeChoice> recompute_choices(const EstimateInput& input, const PlanSpace& space,
                                               int pipeline) {
    std::vector<RecomputeChoice> choices;
    if (!space.layer_counts && input.workload.plan.full_recompute_layers >= 0) {
        return {{input.workload.plan.recompute, input.workload.plan.full_recompute_layers}};
    }
    for (const RecomputeMode mode : space.recompute) {
        choices.push_back({mode, -1});
    }
    if (space.layer_counts && !input.architecture.stacks.empty()) {
        // None is no recomputation, all is the full mode.
        const int layers = (input.architecture.text().layers + pipeline - 1) / pipeline;
        for (int count = 1; count < layers; ++count) {
            choices.push_back({RecomputeMode::full, count});
        }
    }
    return choices;
}

void put(const RecomputeChoice& choice, Workload& workload) {
    workload.plan.recompute = choice.mode;
    workload.plan.full_recompute_layers = choice.full_layers;
}

std::vector<HoldingChoice> holdings_of(const PlanSpace& space, const BlockChoice& block,
                                       const StageChoice& stage) {
    std::vector<HoldingChoice> choices =
        holding_choices(space, stage.data * block.context, stage.pipeline);
    if (!block.mixed) {
        std::erase_if(choices, [&](const HoldingChoice& choice) {
            return spreads_weights(choice.sharding) != block.in_full;
        });
    }
    return choices;
}

void put(const HoldingChoice& choice, Workload& workload) {
    Plan& plan = workload.plan;
    plan.sharding = choice.sharding;
    plan.shard_group = choice.shard_group;
    plan.reshard_after_forward = choice.reshard_after_forward;
    plan.offload_optimizer = choice.offload_optimizer;
    plan.offload_parameters = choice.offload_parameters;
}

}  // namespace ridgeline
