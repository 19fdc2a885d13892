// Whether a plan can run: each rule names the field, its value and the nearest legal one.
#include "estimate/resolve/legality.h"

#include "base/text.h"
#include "estimate/families/families.h"
#include "spec/mig.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

namespace ridgeline {
namespace {

/// The value nearest to `wanted` for which `legal` holds, from 1 up to `most`.
template <typename Legal>
int nearest_legal(int wanted, int most, Legal legal) {
    int best = 1;
    for (int value = 1; value <= most; ++value) {
        if (legal(value) && std::abs(value - wanted) <= std::abs(best - wanted)) {
            best = value;
        }
    }
    return best;
}

tl::unexpected<Error> illegal(std::string field, int value, std::string why, int nearest) {
    return input_error(std::move(field), std::to_string(value) + " " + std::move(why),
                       "The nearest legal value is " + std::to_string(nearest) + ".");
}

Result<void> check_sizes(const Workload& workload) {
    const Plan& plan = workload.plan;
    const struct {
        const char* field;
        int value;
    } sizes[] = {
        {"parallel.data", plan.data},          {"parallel.tensor", plan.tensor},
        {"parallel.pipeline", plan.pipeline},  {"parallel.virtual_pipeline", plan.virtual_pipeline},
        {"parallel.context", plan.context},    {"parallel.expert", plan.expert},
        {"batch.micro", workload.batch.micro}, {"batch.global", workload.batch.global}};
    for (const auto& size : sizes) {
        if (size.value < 1) {
            return input_error(size.field, std::to_string(size.value) + " is less than 1");
        }
    }
    return {};
}

Result<void> check_ranks(const Plan& plan, int count) {
    // In 64 bit: four large sizes overflow an int.
    const long long ranks = static_cast<long long>(plan.data) * plan.tensor *
                            static_cast<long long>(plan.pipeline) * plan.context;
    if (ranks != count) {
        return input_error("parallel",
                           "data " + std::to_string(plan.data) + " x tensor " +
                               std::to_string(plan.tensor) + " x pipeline " +
                               std::to_string(plan.pipeline) + " x context " +
                               std::to_string(plan.context) + " is " + std::to_string(ranks) +
                               " ranks on " + counted_noun(count, "accelerator"),
                           "The sizes must multiply to the number of accelerators.");
    }
    return {};
}

/// Heads divide by tensor parallelism; key and value heads divide, or are replicated evenly.
Result<void> check_heads(const TransformerStack& tower, const Plan& plan) {
    if (plan.tensor == 1 || tower.heads <= 0) {
        return {};
    }
    const int kv = tower.mla ? 0 : tower.kv_heads;
    const auto legal = [&](int tensor) {
        return tower.heads % tensor == 0 && (kv <= 0 || kv % tensor == 0 || tensor % kv == 0);
    };
    if (legal(plan.tensor)) {
        return {};
    }
    const bool query = tower.heads % plan.tensor != 0;
    return illegal("parallel.tensor", plan.tensor,
                   "does not divide the " + std::to_string(query ? tower.heads : kv) +
                       (query ? " attention heads" : " key and value heads"),
                   nearest_legal(plan.tensor, tower.heads, legal));
}

/// Stages may differ by a layer (see chunk_layers), but none may be empty.
Result<void> check_pipeline(const TransformerStack& tower, const Workload& workload) {
    const Plan& plan = workload.plan;
    const int layers = tower.layers;
    if (plan.pipeline > 1 && layers < plan.pipeline) {
        return illegal("parallel.pipeline", plan.pipeline,
                       "is more than the " + std::to_string(layers) + " layers", layers);
    }
    if (plan.virtual_pipeline > 1 && plan.pipeline == 1) {
        return illegal("parallel.virtual_pipeline", plan.virtual_pipeline,
                       "needs a pipeline of more than one stage", 1);
    }
    const long long chunks = static_cast<long long>(plan.pipeline) * plan.virtual_pipeline;
    // The first and the last chunk may hold the embedding and the head alone.
    if (plan.pipeline > 1 && layers + 2 < chunks) {
        return illegal("parallel.virtual_pipeline", plan.virtual_pipeline,
                       "x pipeline " + std::to_string(plan.pipeline) + " is more than the " +
                           std::to_string(layers) + " layers",
                       (layers + 2) / plan.pipeline);
    }
    return {};
}

Result<void> check_experts(const TransformerStack& tower, const Plan& plan) {
    if (plan.expert == 1) {
        return {};
    }
    if (!tower.moe) {
        return illegal("parallel.expert", plan.expert, "on a model without experts", 1);
    }
    const int experts = tower.moe->experts;
    const int group = plan.data * plan.context * plan.tensor;
    const auto legal = [&](int expert) { return experts % expert == 0 && group % expert == 0; };
    if (legal(plan.expert)) {
        return {};
    }
    const bool own = experts % plan.expert != 0;
    return illegal("parallel.expert", plan.expert,
                   own ? "does not divide the " + std::to_string(experts) + " experts"
                       : "does not divide data x context x tensor = " + std::to_string(group),
                   nearest_legal(plan.expert, experts, legal));
}

Result<void> check_batch(const Workload& workload) {
    const Plan& plan = workload.plan;
    const Batch& batch = workload.batch;
    if (batch.sequence_length > 0 && batch.sequence_length % plan.context != 0) {
        const auto divides = [&](int context) { return batch.sequence_length % context == 0; };
        return illegal("parallel.context", plan.context,
                       "does not divide the sequence of " + std::to_string(batch.sequence_length),
                       nearest_legal(plan.context, 2 * plan.context, divides));
    }
    if (workload.task != Task::train) {
        return {};
    }
    const long long pass = static_cast<long long>(batch.micro) * plan.data;
    if (batch.global % pass != 0) {
        const long long below = batch.global / pass * pass;
        const long long nearest = below > 0 && batch.global - below < pass - (batch.global - below)
                                      ? below
                                      : below + pass;
        return input_error("batch.global",
                           std::to_string(batch.global) + " does not divide by micro " +
                               std::to_string(batch.micro) + " x data " + std::to_string(plan.data),
                           "The nearest legal value is " + std::to_string(nearest) + ".");
    }
    const long long passes = batch.global / pass;
    if (workload.optimizer_in_backward && passes > 1) {
        return input_error("optimizer.in_backward",
                           "steps each weight in the backward pass, and " + std::to_string(passes) +
                               " micro-batches are added up before one",
                           "One micro-batch a step is --batch " + std::to_string(pass) + ".");
    }
    if (plan.virtual_pipeline > 1 && passes % plan.pipeline != 0) {
        return input_error("parallel.virtual_pipeline",
                           "interleaving needs the " + std::to_string(passes) +
                               " micro-batches of a step to divide by pipeline " +
                               std::to_string(plan.pipeline),
                           "The nearest legal value is 1.");
    }
    return {};
}

Result<void> check_sharding(const Plan& plan) {
    if (plan.shard_group < 0) {
        return illegal("parallel.shard_group", plan.shard_group, "is negative", 1);
    }
    const int ranks = plan.data * plan.context;
    if (plan.shard_group > 0 && ranks % plan.shard_group != 0) {
        const auto divides = [&](int group) { return ranks % group == 0; };
        return illegal("parallel.shard_group", plan.shard_group,
                       "does not divide the " + std::to_string(ranks) + " data-parallel ranks",
                       nearest_legal(plan.shard_group, ranks, divides));
    }
    return {};
}

/// Networks are copied to each accelerator; the steps of a denoiser are split by --context.
Result<void> check_copies(const Architecture& architecture, const Workload& workload) {
    const Plan& plan = workload.plan;
    const bool denoises =
        architecture.kind == ModelKind::diffusion && workload.task == Task::inference;
    const std::pair<const char*, int> sizes[] = {
        {"parallel.tensor", plan.tensor},
        {"parallel.pipeline", plan.pipeline},
        {"parallel.virtual_pipeline", plan.virtual_pipeline},
        {"parallel.context", denoises ? 1 : plan.context},
        {"parallel.expert", plan.expert}};
    for (const auto& [field, size] : sizes) {
        if (size > 1) {
            return illegal(field, size,
                           "of " + architecture.id + ", a copy of which runs on each accelerator",
                           1);
        }
    }
    return {};
}

/// Slices of a card hold whole copies of the model: MIG has no peer-to-peer (NVIDIA MIG user
/// guide).
Result<void> check_slices(const Plan& plan, const Cluster& cluster) {
    const bool split = plan.tensor * plan.pipeline * plan.context * plan.expert > 1;
    if (!split || cluster.accelerator == nullptr || !is_slice(*cluster.accelerator)) {
        return {};
    }
    return input_error("parallel",
                       "found a model spread over MIG slices, which cannot exchange data",
                       "Expected a whole copy in each (--data), or the whole card.");
}

/// A rate that no source states is unknown, not infinite: nothing can be timed with it.
Result<void> check_rates(const Cluster& cluster) {
    const Accelerator* part = cluster.accelerator;
    if (part == nullptr) {
        return {};
    }
    const bool has_rate = part->peak_vector_fp32.has_value() ||
                          std::any_of(part->peak_dense.begin(), part->peak_dense.end(),
                                      [](const auto& peak) { return peak.has_value(); });
    if (has_rate && part->memory_bandwidth.base() > 0) {
        return {};
    }
    return input_error(part->id,
                       has_rate
                           ? "its memory bandwidth is not known, so nothing can be timed on it"
                           : "its rate is not known for any type, so nothing can be timed on it",
                       "Measure the machine with `ridgeline probe`, or name another part.");
}

/// Parts whose software makes no backward pass (AWS Neuron: Inf instances serve, Trn train).
constexpr std::string_view serving_parts[] = {"inferentia"};

}  // namespace

Result<void> check_task(const Workload& workload, const Cluster& cluster) {
    if (workload.task != Task::train || cluster.accelerator == nullptr) {
        return {};
    }
    for (const std::string_view row : serving_parts) {
        if (cluster.accelerator->id.starts_with(row)) {
            return input_error(cluster.accelerator->id,
                               "its software serves models and trains none",
                               "Its sister for training is trainium1.");
        }
    }
    return {};
}

Result<void> check_stated_sizes(const Architecture& architecture,
                                const WorkloadDocument& document) {
    Workload stated;
    stated.plan.tensor = document.tensor.value_or(1);
    stated.plan.pipeline = document.pipeline.value_or(1);
    if (has_program(architecture) && document.task != Task::kernel) {
        stated.task = document.task;
        stated.plan.virtual_pipeline = document.virtual_pipeline.value_or(1);
        stated.plan.context = document.context.value_or(1);
        stated.plan.expert = document.expert.value_or(1);
        return check_copies(architecture, stated);
    }
    for (const TransformerStack& tower : architecture.stacks) {
        if (const auto heads = check_heads(tower, stated.plan); !heads) {
            return heads;
        }
    }
    if (architecture.stacks.empty()) {
        return {};
    }
    const int expert = document.expert.value_or(1);
    if (expert > 1 && !architecture.text().moe) {
        return illegal("parallel.expert", expert, "on a model without experts", 1);
    }
    if (expert > 1 && architecture.text().moe->experts % expert != 0) {
        stated.plan = {};
        stated.plan.expert = expert;
        stated.plan.data = architecture.text().moe->experts;  // whatever the others are
        return check_experts(architecture.text(), stated.plan);
    }
    return check_pipeline(architecture.text(), stated);
}

int training_accelerators(const Workload& workload, int count) {
    const auto& tuning = workload.preference;
    return tuning ? count - rollout_cards(*tuning, {}, count) : count;
}

Result<void> check_plan(const Architecture& architecture, const Workload& workload,
                        const Cluster& cluster, bool network_passed) {
    const bool program = has_program(architecture);
    if (architecture.stacks.empty() && !program && workload.task != Task::kernel) {
        return input_error(
            "model",
            fmt::format("\"{}\" is a network whose layers are not known here", architecture.name),
            "See `ridgeline profiles list` for those that are.");
    }
    if (const auto rates = check_rates(cluster); !rates) {
        return rates;
    }
    if (const auto task = check_task(workload, cluster); !task) {
        return task;
    }
    if (program && !network_passed && workload.task != Task::kernel) {
        if (const auto sizes = check_program(architecture, workload); !sizes) {
            return sizes;
        }
    }
    if (program && workload.task != Task::kernel) {
        if (const auto copies = check_copies(architecture, workload); !copies) {
            return copies;
        }
    }
    if (const auto sizes = check_sizes(workload); !sizes) {
        return sizes;
    }
    if (const auto ranks =
            check_ranks(workload.plan, training_accelerators(workload, cluster.count));
        !ranks) {
        return ranks;
    }
    if (const auto slices = check_slices(workload.plan, cluster); !slices) {
        return slices;
    }
    for (const TransformerStack& tower : architecture.stacks) {
        if (const auto heads = check_heads(tower, workload.plan); !heads) {
            return heads;
        }
    }
    if (!architecture.stacks.empty()) {
        const TransformerStack& tower = architecture.text();
        if (const auto pipeline = check_pipeline(tower, workload); !pipeline) {
            return pipeline;
        }
        if (const auto experts = check_experts(tower, workload.plan); !experts) {
            return experts;
        }
    }
    if (const auto batch = check_batch(workload); !batch) {
        return batch;
    }
    return check_sharding(workload.plan);
}

}  // namespace ridgeline
