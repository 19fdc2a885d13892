#pragma once

#include <optional>
#include <string_view>

namespace ridgeline {

/// Element types that weights, gradients, optimizer states, activations and caches are stored in.
enum class DType { fp64, fp32, tf32, fp16, bf16, fp8, int8, fp4, int4 };

/// Bytes of one element; tf32 is stored as fp32. Block scales are not included (see QuantFormat).
constexpr double bytes_per_element(DType type) {
    switch (type) {
        case DType::fp64:
            return 8;
        case DType::fp32:
        case DType::tf32:
            return 4;
        case DType::fp16:
        case DType::bf16:
            return 2;
        case DType::fp8:
        case DType::int8:
            return 1;
        case DType::fp4:
        case DType::int4:
            return 0.5;
    }
    return 0;
}

/// Operand type of a matrix product: picks the peak rate and the calibration.
/// The accumulator is fp32 (int32 for int8) unless the name says otherwise.
enum class ComputeType {
    fp64,
    fp32,
    tf32,
    fp16,
    fp16_fp16_accumulate,
    bf16,
    fp8,
    mxfp8,
    fp4,  ///< nvfp4 and mxfp4
    int8,
    count_
};
inline constexpr int compute_types = static_cast<int>(ComputeType::count_);

std::string_view name_of(DType type);
std::string_view name_of(ComputeType type);
/// The type with that name ("bf16", "fp8", ...), or nothing; also "nvfp4" and "mxfp4" (fp4).
std::optional<ComputeType> compute_type_named(std::string_view name);
/// What a product of that type stores its operands in.
DType storage_of(ComputeType type);

}  // namespace ridgeline
