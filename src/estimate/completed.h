#pragma once

#include "estimate/input.h"
#include "estimate/results.h"

namespace ridgeline {

/// The whole estimate of which memory and time are known, from the same input: what requests under
/// load see, the run, the cost.
Estimate completed_estimate(const EstimateInput& input, const Offer* offer, MemoryEstimate memory,
                            TimeEstimate time);

}  // namespace ridgeline
