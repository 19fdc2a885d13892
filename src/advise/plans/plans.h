#pragma once

#include "spec/architecture.h"
#include "spec/machine.h"
#include "spec/software_profile.h"
#include "spec/workload.h"
#include "spec/workload_document.h"

#include <vector>

namespace ridgeline {

/// Which choices of a plan are open; the others stay as `base` has them.
struct PlanFreedom {
    bool shape = true;  ///< data, tensor, pipeline, virtual pipeline, context
    bool expert = true;
    bool sharding = true;
    bool recompute = true;
    bool micro = true;
    bool global = true;  ///< may be raised to one micro-batch a rank
};

/// Open is what the document does not state.
PlanFreedom freedom_of(const WorkloadDocument& stated);

/// Whether a loop that copies its model keeps to that: where the copies fit with ease. In shards,
/// which are gathered in 16 bits, another network would run (without autocast's maps in fp32): on
/// eight cards more than eight times as fast as on one.
bool only_copies(const Workload& base, const Architecture& architecture, const Cluster& cluster,
                 const PlanFreedom& free);

/// Legal plans for a workload on a cluster, cheapest trade first (no recomputation before full,
/// large micro-batches before small, a copy a rank before sharding, few model-parallel ranks
/// first).
std::vector<Workload> enumerate_plans(const Workload& base, const Architecture& architecture,
                                      const Cluster& cluster, const PlanFreedom& free);

/// Leaves out the plans whose parts the stack does not know: layers of tensor parallelism under one
/// that has pipelines alone, steps of denoising that cards share under one that has no context
/// parallelism.
void leave_out_unsupported(std::vector<Workload>& plans, const ParallelSupport& support,
                           const PlanFreedom& free);

}  // namespace ridgeline
