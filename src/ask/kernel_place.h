#pragma once

#include "ask/world.h"
#include "estimate/time/kernel.h"
#include "report/kernel_report.h"

#include <string>

// One kernel on one cluster.

namespace ridgeline::ask {

/// The type that is stated, or the usual one of the kernel; of a product in fp16 the one that adds
/// up in half precision where the document says so.
ComputeType kernel_type(const WorkloadDocument& document);

/// Of a kernel that says no ranks, one rank a device. Errors: of estimate_kernel().
Result<KernelEstimate> kernel_estimate_on(const World& world, Kernel kernel, ComputeType type,
                                          const Cluster& cluster);

/// The cluster as it is, or with as many devices as the arrays need where none said how many: each
/// time twice as many, up to `most`.
Cluster cluster_holding(const World& world, const Kernel& kernel, ComputeType type,
                        const Cluster& cluster, int most);

/// What the cluster costs: to buy, where a price is current, and by the hour for prices of `price`.
void add_kernel_price(const World& world, const std::string& price, report::KernelOn& on);

}  // namespace ridgeline::ask
