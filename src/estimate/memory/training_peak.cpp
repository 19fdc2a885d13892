// The memory fold: peak bytes of one rank over the instants of a step (contract: memory model).
//
// A stage's tensors are folded once (estimate/stacks/stage.h, estimate/stacks/block_memory.h); each
// instant is then a short list of named components whose sum is its total. The highest instant of
// the worst stage is the answer. Sharded states divide by their group; what a framework gathers,
// buckets or duplicates is a component of its own.
#include "estimate/memory/training_peak.h"

#include "estimate/input.h"
#include "estimate/memory/counters.h"
#include "estimate/memory/instants.h"
#include "estimate/memory/rank.h"
#include "estimate/memory/replayed_steps.h"
#include "estimate/results.h"
#include "estimate/stacks/stage.h"
#include "estimate/stacks/step_script.h"
#include "estimate/work/operator.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ridgeline {
namespace {

Rank make_rank(const EstimateInput& input, const MemoryStages& stages, const HeldStage& held) {
    const Workload& workload = input.workload;
    const Plan& plan = workload.plan;
    Rank rank{.input = input,
              .list = stages.list,
              .blocks = stages.blocks,
              .stage = held.stage,
              .parameters = held.parameters};
    rank.dense_group =
        plan.shard_group > 0 ? plan.shard_group : static_cast<double>(plan.data) * plan.context;
    const double expert_tensor = plan.expert > 1 ? plan.tensor : 1;
    rank.expert_group = std::max(1.0, rank.dense_group * expert_tensor / plan.expert);
    rank.micro_batches = stages.micro_batches;
    rank.weight = stages.weight;
    rank.gradient = stages.gradient;
    rank.compute = stages.compute;
    rank.adapter = stages.adapter;
    rank.state = stages.state;
    return rank;
}

/// A stage with no more layers of any kind than the one before it holds no more than that one, as
/// it has no more micro-batches in flight either. The ends have tables of their own.
bool dominated(const Stage& stage, const std::vector<double>& before) {
    if (stage.first || stage.last) {
        return false;
    }
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (stage.repeats[i] > before[i]) {
            return false;
        }
    }
    return true;
}

/// What the caching allocator makes of the rank's script, by pool; 0: no stack writes it.
PoolBytes replayed(const Rank& rank) {
    const OutsideTensors outside = outside_tensors(rank.input);
    const double room = outside.capacity - outside.context;
    AllocatorSettings settings;
    settings.expandable = expandable_segments(rank);
    if (outside.capacity > 0) {
        const Totals highest = highest_totals(rank, {});
        if (highest.total + outside.library > room) {
            return {};  // the tensors alone are too large: what the allocator would hold decides
                        // nothing
        }
        const auto pool = [&highest](MemoryPool which) {
            return highest.pools[static_cast<std::size_t>(which)];
        };
        const double gather = std::max(gather_buffers(rank), pool(MemoryPool::gather));
        if (!rank.software().runtime.copies_out()) {
            settings.limit = Bytes::of_base(room - gather - pool(MemoryPool::reduce));
        }
    }
    const auto play = [&](const AllocatorSettings& with) {
        std::optional<Script> script = step_script(rank, Bytes::of_base(outside.library));
        if (!script) {
            return PoolBytes{};
        }
        const auto reserved = [&] { return reserved_by(std::move(*script), with); };
        return rank.input.replayed == nullptr
                   ? pools_of(reserved())
                   : rank.input.replayed->played(replay_key(*script, with), reserved);
    };
    if (rank.input.replayed == nullptr) {
        return play(settings);
    }
    // A limit that is never reached changes nothing.
    const Accelerator& part = *rank.input.cluster.accelerator;
    const ReplayedOn on{.software = &rank.software(),
                        .stage = rank.stage.index,
                        .workspace = torch_workspaces(&part),
                        .library = outside.library,
                        .expandable = settings.expandable,
                        .hopper = hopper_or_later(part)};
    const PoolBytes& pools = rank.input.replayed->pools(
        rank.workload(), on, [&] { return play({.expandable = settings.expandable}); });
    const double computes = pools[static_cast<std::size_t>(MemoryPool::compute)];
    return computes <= settings.limit.base() ? pools : play(settings);
}

}  // namespace

std::vector<BlockMemory> block_memories(const EstimateInput& input, const OperatorList& list) {
    std::vector<BlockMemory> blocks;
    blocks.reserve(list.size());
    for (const Block& block : list) {
        blocks.push_back(memory_of(block, input.workload, input.software));
    }
    return blocks;
}

MemoryStages memory_stages(const EstimateInput& input, const OperatorList& list,
                           const std::vector<BlockMemory>& blocks) {
    const Workload& workload = input.workload;
    MemoryStages result{.list = list, .blocks = blocks, .stages = {}};
    std::vector<double> before;
    for (int index = 0; index < workload.plan.pipeline; ++index) {
        Stage stage = stage_of(input.architecture, list, workload, index);
        if (dominated(stage, before)) {
            continue;
        }
        before = stage.repeats;
        const StageParameters parameters = parameters_of(list, stage, workload, input.software);
        result.stages.push_back({std::move(stage), parameters});
    }
    result.micro_batches =
        std::max(1.0, std::ceil(static_cast<double>(workload.batch.global) /
                                (static_cast<double>(workload.batch.micro) * workload.plan.data)));
    result.weight = bytes_per_element(workload.weights);
    result.gradient = bytes_per_element(workload.gradients);
    result.compute = std::max(2.0, bytes_per_element(storage_of(workload.compute)));
    result.adapter = workload.lora ? bytes_per_element(workload.lora->weights) : result.weight;
    result.state = state_bytes(workload, input.software);
    return result;
}

TrainingPeak training_peak(const EstimateInput& input, const MemoryStages& stages) {
    TrainingPeak peak;
    for (const HeldStage& held : stages.stages) {
        const Rank rank = make_rank(input, stages, held);
        std::vector<Instant> instants = instants_of(rank);
        const auto highest = std::ranges::max_element(
            instants, [](const Instant& a, const Instant& b) { return a.total < b.total; });
        if (highest->total > peak.total) {
            peak.total = highest->total;
            peak.index = static_cast<std::size_t>(highest - instants.begin());
            peak.stage = rank.stage.index;
            peak.gather_pool = Bytes::of_base(gather_buffers(rank));
            peak.replayed = replayed(rank);
            peak.instants = std::move(instants);
        }
    }
    return peak;
}

TrainingPeak training_peak(const EstimateInput& input) {
    const OperatorList list =
        training_operators(input.architecture, input.workload, input.software);
    const std::vector<BlockMemory> blocks = block_memories(input, list);
    return training_peak(input, memory_stages(input, list, blocks));
}

std::optional<Script> training_script(const EstimateInput& input, const MemoryStages& stages) {
    const HeldStage* fullest = nullptr;
    double most = -1;
    for (const HeldStage& held : stages.stages) {
        const double total = highest_totals(make_rank(input, stages, held), {}).total;
        if (total > most) {
            most = total;
            fullest = &held;
        }
    }
    if (fullest == nullptr) {
        return std::nullopt;
    }
    const Bytes library = Bytes::of_base(outside_tensors(input).library);
    return step_script(make_rank(input, stages, *fullest), library);
}

PeakTotals training_totals(const EstimateInput& input, const MemoryStages& stages) {
    PeakTotals peak;
    const Fragmentation fragmentation = fragmentation_of(input);
    for (const HeldStage& held : stages.stages) {
        const Rank rank = make_rank(input, stages, held);
        const Totals highest = highest_totals(rank, fragmentation);
        if (highest.total > peak.total) {
            peak.total = highest.total;
            peak.pools = highest.pools;
            peak.gather_pool = gather_buffers(rank);
        }
    }
    return peak;
}

double host_bytes(const EstimateInput& input, const MemoryStages& stages) {
    double most = 0;
    for (const HeldStage& held : stages.stages) {
        most = std::max(most, host_bytes(make_rank(input, stages, held)));
    }
    return most * std::min(input.cluster.per_node, input.cluster.count);
}

std::vector<double> resident_bytes(const EstimateInput& input, const MemoryStages& stages) {
    std::vector<double> bytes;
    for (const HeldStage& held : stages.stages) {
        bytes.push_back(resident_bytes(make_rank(input, stages, held)));
    }
    return bytes;
}

std::vector<double> activation_bytes(const EstimateInput& input, const MemoryStages& stages) {
    std::vector<double> bytes;
    for (const HeldStage& held : stages.stages) {
        bytes.push_back(activation_bytes(make_rank(input, stages, held)));
    }
    return bytes;
}

}  // namespace ridgeline
