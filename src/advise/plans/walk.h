#pragma once

#include "advise/plans/space.h"
#include "estimate/estimate.h"

#include <vector>

namespace ridgeline {

/// Plans that share their blocks: the same tensors and kernels for one micro-batch on one rank.
struct BlockChoice {
    int tensor = 1;
    int context = 1;
    int expert = 1;
    int micro = 1;
    bool sequence_parallel = false;
    /// Autocast keeps 16-bit copies of weights that are whole, so that sharding changes the blocks.
    bool in_full = false;  ///< only shardings that spread weights
    bool mixed = true;     ///< ... or all, where it makes no difference
};
std::vector<BlockChoice> block_choices(const EstimateInput& input, const PlanSpace& space);
void put(const BlockChoice& choice, Workload& workload);

/// How the layers are cut, and the data-parallel size and batch that follow.
struct StageChoice {
    int data = 1;
    int pipeline = 1;
    int virtual_pipeline = 1;
    int global = 1;
};
std::vector<StageChoice> stage_choices(const EstimateInput& input, const PlanSpace& space,
                                       const BlockChoice& block);
void put(const StageChoice& choice, Workload& workload);

/// What is computed again: a mode, or so many layers of a stage in full.
struct RecomputeChoice {
    RecomputeMode mode = RecomputeMode::none;
    int full_layers = -1;
};
std::vector<RecomputeChoice> recompute_choices(const EstimateInput& input, const PlanSpace& space,
                                               int pipeline);
void put(const RecomputeChoice& choice, Workload& workload);

/// The holding choices that go with a block choice.
std::vector<HoldingChoice> holdings_of(const PlanSpace& space, const BlockChoice& block,
                                       const StageChoice& stage);
void put(const HoldingChoice& choice, Workload& workload);

}  // namespace ridgeline
