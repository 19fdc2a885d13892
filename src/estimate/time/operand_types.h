#pragma once

#include "estimate/work/operator.h"
#include "spec/workload.h"

namespace ridgeline {

struct SoftwareProfile;

/// fp8 and fp4, whose operands are cast from 16 bit.
bool is_low_precision(ComputeType type);

/// Type of what a low-precision recipe leaves in 16 bit.
ComputeType wide_type(const Workload& workload);

/// Bytes of one weight as its product reads it.
double weight_bytes(ComputeType type);

/// Bytes of device memory that casting one 16-bit element to the operand type moves: read, and
/// written once along rows and once along columns when the weight gradient needs the transpose.
double cast_traffic(ComputeType type, bool transpose);

/// Modules of torchao that no compiler joins: a cast to fp8 is a row of kernels, and each product
/// casts its input itself (torchao float8: Float8Linear, tensor_to_scale, to_fp8_saturated).
bool casts_in_steps(const Workload& workload, const SoftwareProfile& software);
/// Kernels of such a cast: magnitudes, maximum, the scale from it (in fp64: cast, clamp, division,
/// cast, reciprocal), fp32, product, clamp, cast.
inline constexpr double stepwise_cast_kernels = 11;
/// Bytes of device memory that it moves of one 16-bit element.
double stepwise_cast_traffic(bool transpose);

}  // namespace ridgeline
