#pragma once

// The door of this folder: what other layers include for a whole answer.

#include "estimate/input.h"
#include "estimate/money/cost.h"
#include "estimate/resolve/legality.h"
#include "estimate/results.h"
#include "estimate/time/device.h"

#include <vector>

namespace ridgeline {

/// Peak memory of the worst rank. Precondition: check_plan passed.
MemoryEstimate estimate_memory(const EstimateInput& input);
/// Time of a training step or of inference. Precondition: check_plan passed.
TimeEstimate estimate_time(const EstimateInput& input);

/// All three. Precondition: check_plan passed.
Estimate estimate(const EstimateInput& input, const Offer* offer);

/// What the estimate rests on: efficiencies with tier and source, capacity, price.
std::vector<Provenance> provenance_of(const EstimateInput& input, const Estimate& estimate);

}  // namespace ridgeline
