#pragma once

#include "base/dtype.h"
#include "spec/accelerator.h"

namespace ridgeline {

/// NVIDIA's compute capability as a number (8.9); 0: another vendor's part, or not known.
double capability_of(const Accelerator& accelerator);

/// Least compute capability of FlashAttention 2 (its README, requirements).
inline constexpr double flash_attention_capability = 8.0;

/// Whether the part's matrix units are known not to have a type, which tells a missing rate
/// ("none") from an unknown one: by NVIDIA's compute capability (CUDA C++ Programming Guide, data
/// types of Tensor Cores) and by AMD's instruction sets (CDNA and RDNA ISA guides: MFMA and WMMA).
/// False where neither says so.
bool lacks_matrix_type(const Accelerator& accelerator, ComputeType type);

}  // namespace ridgeline
