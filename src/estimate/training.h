#pragma once

#include "estimate/estimate.h"

namespace ridgeline {

/// Time of one optimizer step of a training run, by folding the operator list: forward, backward
/// and recomputation on the slowest pipeline stage, collectives that stay exposed, the pipeline
/// bubble, the optimizer, and the host where it cannot keep up.
///
/// Precondition: check_plan passed and the task is train.
TimeEstimate training_time(const EstimateInput& input);

}  // namespace ridgeline
