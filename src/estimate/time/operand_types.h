#pragma once

#include "estimate/work/operator.h"
#include "spec/workload.h"

namespace ridgeline {

/// fp8 and fp4, whose operands are cast from 16 bit.
bool is_low_precision(ComputeType type);

/// Type of what a low-precision recipe leaves in 16 bit.
ComputeType wide_type(const Workload& workload);

/// Bytes of one weight as its product reads it.
double weight_bytes(ComputeType type);

/// Bytes of device memory that casting one 16-bit element to the operand type moves: read, and
/// written once along rows and once along columns when the weight gradient needs the transpose.
double cast_traffic(ComputeType type, bool transpose);

}  // namespace ridgeline
