#pragma once

#include "advise/plans/plans.h"
#include "spec/architecture.h"
#include "spec/machine.h"
#include "spec/software_profile.h"
#include "spec/workload.h"

#include <vector>

namespace ridgeline {

/// How the data-parallel ranks of a plan share states, and what it keeps on the host.
struct HoldingChoice {
    Sharding sharding = Sharding::none;
    int shard_group = 0;
    bool reshard_after_forward = true;
    OffloadTarget offload_optimizer = OffloadTarget::none;
    OffloadTarget offload_parameters = OffloadTarget::none;
};

/// The values that each choice of a plan may take. Every combination that `check_plan` accepts is
/// in the space; data parallelism follows from the rest and the number of accelerators.
struct PlanSpace {
    std::vector<int> tensor{1};
    std::vector<int> pipeline{1};
    std::vector<int> virtual_pipeline{1};
    std::vector<int> context{1};
    std::vector<int> expert{1};
    std::vector<int> micro{1};
    std::vector<bool> sequence_parallel{false};  ///< beside tensor parallelism
    std::vector<Sharding> sharding{Sharding::none};
    std::vector<int> shard_groups;  ///< of hsdp
    std::vector<bool> reshard_after_forward{true};
    std::vector<RecomputeMode> recompute{RecomputeMode::none};
    bool layer_counts = false;  ///< also full recomputation of 1, 2, ... layers of each stage
    std::vector<OffloadTarget> offload_optimizer{OffloadTarget::none};
    std::vector<OffloadTarget> offload_parameters{OffloadTarget::none};
    std::vector<OffloadTarget> offload_activations{OffloadTarget::none};
    int most_fully_sharded =
        0;  ///< ranks over which weights are spread, where that is open; 0: any
    bool raises_global =
        false;  ///< the global batch becomes a whole number of micro-batches a rank
};

/// All legal plans of a training run: every divisor of the cluster as a parallel size, every number
/// of model chunks, every divisor of the batch as micro-batch, every sharding of the stack's
/// family, recomputation by mode and by layer count, and on the host what the stack can leave
/// there. What `free` closes stays as in `base`, and what `base` offloads stays offloaded.
PlanSpace whole_space(const Workload& base, const Architecture& architecture,
                      const SoftwareProfile& software, const Cluster& cluster,
                      const PlanFreedom& free);

/// The part of it that people use, for a look at many clusters: tensor parallelism inside a node,
/// two model chunks at most, micro-batches up to the size at which products are full, no layer
/// counts, no offload, context parallelism for long sequences alone.
PlanSpace usual_space(const Workload& base, const Architecture& architecture,
                      const SoftwareProfile& software, const Cluster& cluster,
                      const PlanFreedom& free);

/// The choices of `data` x `context` = `ranks` ranks, no two of them the same thing.
std::vector<HoldingChoice> holding_choices(const PlanSpace& space, int ranks, int pipeline);

}  // namespace ridgeline
