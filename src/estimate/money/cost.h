#pragma once

#include "estimate/input.h"
#include "estimate/results.h"

namespace ridgeline {

/// Dollars and joules from the time; `offer` may be null (cost unknown).
CostEstimate estimate_cost(const EstimateInput& input, const TimeEstimate& time,
                           const Offer* offer);

}  // namespace ridgeline
