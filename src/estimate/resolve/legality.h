#pragma once

#include "base/result.h"
#include "spec/architecture.h"
#include "spec/machine.h"
#include "spec/workload.h"
#include "spec/workload_document.h"

namespace ridgeline {

/// Whether the plan can run at all: ranks multiply to the cluster, heads and layers divide, experts
/// divide, vocabulary and batch divide. The error names the field, the value and the nearest legal
/// one. `network_passed`: another plan of the same samples passed, so that the network need not be
/// listed again to see whether its maps have sizes.
Result<void> check_plan(const Architecture& architecture, const Workload& workload,
                        const Cluster& cluster, bool network_passed = false);

/// Whether the model can be cut into as many parts as a document states, whatever the others are:
/// its heads by tensor, its layers by pipeline, its experts by expert parallelism; networks are
/// copied whole. errors  the field, its value, the nearest legal one
Result<void> check_stated_sizes(const Architecture& architecture, const WorkloadDocument& document);

/// Whether the software of a part does the task at all: some only serve.
Result<void> check_task(const Workload& workload, const Cluster& cluster);

/// Accelerators of `count` that the plan of a resolved workload spreads over: all but those that
/// write answers beside the update.
int training_accelerators(const Workload& workload, int count);

}  // namespace ridgeline
