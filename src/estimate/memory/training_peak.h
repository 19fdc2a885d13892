#pragma once

#include "estimate/input.h"
#include "estimate/results.h"
#include "estimate/stacks/block_memory.h"
#include "estimate/stacks/stage.h"
#include "estimate/work/script.h"

#include <optional>
#include <vector>

namespace ridgeline {

/// Tensors of each block of the list for one micro-batch. Plans that agree in tensor, context,
/// expert and sequence parallelism and in the micro-batch share it.
std::vector<BlockMemory> block_memories(const EstimateInput& input, const OperatorList& list);

struct HeldStage {
    Stage stage;
    StageParameters parameters;
};

/// What the stages of a pipeline hold before sharding, recomputation and offload: shared by the
/// plans that differ only in those. `list` and `blocks` outlive it.
struct MemoryStages {
    const OperatorList& list;
    const std::vector<BlockMemory>& blocks;
    std::vector<HeldStage> stages;  ///< those that may be the fullest
    double micro_batches = 1;

    // Bytes of one parameter.
    double weight = 2;
    double gradient = 2;
    double compute = 2;
    double adapter = 4;
    double state = 8;
};
MemoryStages memory_stages(const EstimateInput& input, const OperatorList& list,
                           const std::vector<BlockMemory>& blocks);

/// Tensors alive at the instants of the worst pipeline stage of a training step.
struct TrainingPeak {
    std::vector<Instant> instants;
    std::size_t index = 0;  ///< of the highest instant
    int stage = 0;
    Bytes total;
    Bytes gather_pool;     ///< most that the pool of the gathering stream holds at any moment
    PoolBytes replayed{};  ///< what the allocator holds; 0: that pool is not replayed
};
TrainingPeak training_peak(const EstimateInput& input, const MemoryStages& stages);
TrainingPeak training_peak(const EstimateInput& input);

/// What two steps do on a rank of the fullest stage; nothing where no stack writes it. Points into
/// the list of `stages`.
std::optional<Script> training_script(const EstimateInput& input, const MemoryStages& stages);

/// The same without the components: bytes of the highest instant, and what each pool of the
/// allocator needs at its own highest, fragments included.
struct PeakTotals {
    double total = 0;
    PoolBytes pools{};
    double gather_pool = 0;
    PoolBytes replayed{};  ///< what the allocator holds; 0: that pool is not replayed
};
/// Without a replay, which takes milliseconds: whether a plan fits is the tensors' matter, since
/// the allocator gives back what it does not use before it fails.
PeakTotals training_totals(const EstimateInput& input, const MemoryStages& stages);

/// Host memory of one node, bytes, that offloaded states, parameters and activations of its ranks
/// take when all hold as much as the fullest stage. What goes to NVMe takes none.
double host_bytes(const EstimateInput& input, const MemoryStages& stages);

// Lower bounds of the same, bytes by stage: an instant of every plan holds both.

/// What lives through the whole step under the plan's sharding and offload, whatever it recomputes.
std::vector<double> resident_bytes(const EstimateInput& input, const MemoryStages& stages);
/// What the micro-batches in flight keep under the plan's recomputation, whatever it shards.
std::vector<double> activation_bytes(const EstimateInput& input, const MemoryStages& stages);

}  // namespace ridgeline
