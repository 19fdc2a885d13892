#pragma once

#include "estimate/time/pass_cost.h"
#include "estimate/time/roofline.h"

namespace ridgeline {

/// Seconds of a call of a recurrent layer before its first step and after its last, or of the sums
/// and copies around the product that makes the gradient of its weights.
inline constexpr double recurrent_call = 50e-6;

/// Work that the units are busy for in a product of `rows` by `columns` results, over the work
/// itself: thread blocks fill the units in whole waves, and a small block reads more for what it
/// multiplies. The best of the usual sizes; the share that a block reaches goes with the root of
/// its products a read number, 64 of the largest (DeepBench: 0.6, 0.8 and 1 of a P100's rate for
/// 16, 64 and 128 sequences).
double block_waves(double rows, double columns, double units);

/// A recurrent layer step by step (`recurrent_steps`): all units meet after each step, and the
/// weights are read again. cuDNN on V100 takes 27 to 35 us for a small step, three quarters of the
/// bandwidth for large weights and 0.6 of the matrix units for many sequences (baidu-research/
/// DeepBench). The gradient of the weights is one product over all steps.
///
/// `type`: what it multiplies in, `products`: rates of a library's products in it. `back`: the
/// gradients, `share` 1 of inputs and weights, else of inputs alone.
PassCost recurrent_cost(const DeviceModel& device, ComputeType type, const RooflineTerms& products,
                        const Operator& op, bool back, double share);

}  // namespace ridgeline
