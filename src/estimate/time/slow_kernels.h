// Kernels of networks that neither matrix units nor the memory of the part set the pace of.
#pragma once

#include "estimate/time/pass_cost.h"
#include "estimate/time/roofline.h"

namespace ridgeline {

/// Rows that kernels read from host memory over PCIe: short reads reach half of the link's rate.
PassCost host_rows_cost(const DeviceModel& device, const Operator& op);

/// Filters whose samples lie in shared memory: vector units wait for it.
/// moved: rates of streaming; back: of the gradients
PassCost filtering_cost(const DeviceModel& device, const RooflineTerms& moved, const Operator& op,
                        bool back);

/// A convolution of several groups whose width is no power of two, which no kernel of matrix units
/// has; vector units take any width (RegNets of facebookresearch/pycls in fp32).
bool uneven_groups(const Operator& op, ComputeType type);

/// Work of a convolution of groups on vector units over the work asked for: each group fills tiles
/// of its own, of 32 channels at least.
double narrow_groups(const Operator& op, ComputeType type);

/// Seconds of the direct kernel that makes the gradients of uneven groups.
/// flops: floating-point operations
double direct_groups_time(const DeviceModel& device, double flops);

/// Seconds of the gradient of a layer norm's weights where a block sums 32 columns over all rows,
/// 32 rows at a time: with few columns it waits for memory with few blocks (PyTorch before 2.8,
/// layer_norm_kernel.cu, GammaBetaBackwardCUDAKernel; pytorch/pytorch pull request 147773).
double norm_gradient_time(const DeviceModel& device, double rows, double columns);

}  // namespace ridgeline
