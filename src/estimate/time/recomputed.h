#pragma once

#include "estimate/input.h"
#include "estimate/work/operator.h"

namespace ridgeline {

/// Share of an operator's forward pass that runs once more before the backward pass of its layer.
///
/// last  one past the operators of its block
double recomputed_share(const EstimateInput& input, RecomputeMode recompute, const Operator& op,
                        const Operator* last);

}  // namespace ridgeline
