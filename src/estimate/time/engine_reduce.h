#pragma once

#include "estimate/time/collective.h"

#include <vector>

namespace ridgeline {

/// Curves of an all-reduce inside a domain, [ranks], from what is known without the collectives
/// that a calibration of one's own measured (nccl-tests say nothing of an engine's own kernels);
/// empty where it measured none.
std::vector<LinkCurve> known_reduce_curves(const Calibration& calibration, const Cluster& cluster,
                                           int domain);

}  // namespace ridgeline
