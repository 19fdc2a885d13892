#pragma once

#include "estimate/input.h"
#include "estimate/work/operator.h"

namespace ridgeline {

/// Winograd's tiles of 4x4 outputs of a 3x3 convolution: values of a transformed tile, outputs of
/// one, taps of the filter.
inline constexpr double winograd_values = 36, winograd_outputs = 16, winograd_taps = 9;

/// Share of a pass whose transforms are kernels of their own: of many channels from 16 images on,
/// and of gradients of weights, which are half of the backward pass (baidu-research/DeepBench).
///
/// back: its gradients; samples: images of a pass
double transformed_part(const Operator& op, bool back, double samples);

/// Whether vector units compute the convolutions: in fp32, on a part or under a stack that does not
/// round to tf32.
bool convolves_on_vector_units(const EstimateInput& input);

/// Bytes that the transforms hold while the convolution runs, 36 values for each tile of 4x4
/// outputs and each pair of channels: torch takes them from its allocator (Conv_v7.cpp, Workspace).
/// 0: a fused kernel holds none.
///
/// back, samples  as above
Bytes winograd_workspace(const Operator& op, bool back, double samples);

}  // namespace ridgeline
