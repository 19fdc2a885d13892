#pragma once

#include "estimate/input.h"
#include "estimate/time/pass_cost.h"

namespace ridgeline {

/// Host seconds of one pass that the device does not hide: launches of eager kernels, and `serial`
/// waits for results.
double host_excess(const EstimateInput& input, const PassCost& cost, double serial);

}  // namespace ridgeline
