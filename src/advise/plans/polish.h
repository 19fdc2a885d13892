#pragma once

#include "advise/plans/plans.h"
#include "estimate/estimate.h"

namespace ridgeline {

/// The plan in `found` with fewer stages where an estimate cannot tell the two apart, and, where
/// its stack recomputes by the layer, with as few layers recomputed as memory leaves room for. What
/// `free` closes stays. Never slower by more than what an estimate tells apart, never without the
/// room that a plan should leave.
Workload polished(const EstimateInput& found, const PlanFreedom& free);

}  // namespace ridgeline
