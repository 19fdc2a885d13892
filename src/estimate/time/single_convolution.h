#pragma once

#include "estimate/time/device.h"
#include "estimate/work/operator.h"

namespace ridgeline {

/// Seconds of one convolution that is called by itself, forward or for a gradient, with the best
/// algorithm that cuDNN offers for tensors in the order of channels first.
///
/// `type`: what it multiplies in. `samples`: images of the call.
/// source  baidu-research/DeepBench on P100, V100 and T4 (fitted_on in tests/evidence/vision2.json)
double single_convolution_time(const DeviceModel& device, ComputeType type, const Operator& op,
                               double samples);

}  // namespace ridgeline
