#include "base/dtype.h"

#include <array>
#include <utility>

namespace ridgeline {
namespace {
constexpr std::array<std::pair<DType, std::string_view>, 9> dtype_names{{
    {DType::fp64, "fp64"},
    {DType::fp32, "fp32"},
    {DType::tf32, "tf32"},
    {DType::fp16, "fp16"},
    {DType::bf16, "bf16"},
    {DType::fp8, "fp8"},
    {DType::int8, "int8"},
    {DType::fp4, "fp4"},
    {DType::int4, "int4"},
}};
constexpr std::array<std::pair<ComputeType, std::string_view>, 10> compute_names{{
    {ComputeType::fp64, "fp64"},
    {ComputeType::fp32, "fp32"},
    {ComputeType::tf32, "tf32"},
    {ComputeType::fp16, "fp16"},
    {ComputeType::fp16_fp16_accumulate, "fp16_fp16_accumulate"},
    {ComputeType::bf16, "bf16"},
    {ComputeType::fp8, "fp8"},
    {ComputeType::mxfp8, "mxfp8"},
    {ComputeType::fp4, "nvfp4"},
    {ComputeType::int8, "int8"},
}};
}  // namespace

std::string_view name_of(DType type) {
    for (const auto& [value, name] : dtype_names) {
        if (value == type) {
            return name;
        }
    }
    return "unknown";
}

std::string_view name_of(ComputeType type) {
    for (const auto& [value, name] : compute_names) {
        if (value == type) {
            return name;
        }
    }
    return "unknown";
}

std::optional<ComputeType> compute_type_named(std::string_view name) {
    if (name == "mxfp4" || name == "fp4") {
        return ComputeType::fp4;
    }
    for (const auto& [value, known] : compute_names) {
        if (known == name) {
            return value;
        }
    }
    return std::nullopt;
}

DType storage_of(ComputeType type) {
    switch (type) {
        case ComputeType::fp64:
            return DType::fp64;
        case ComputeType::fp32:
        case ComputeType::tf32:
            return DType::fp32;
        case ComputeType::fp16:
        case ComputeType::fp16_fp16_accumulate:
            return DType::fp16;
        case ComputeType::fp8:
        case ComputeType::mxfp8:
            return DType::fp8;
        case ComputeType::fp4:
            return DType::fp4;
        case ComputeType::int8:
            return DType::int8;
        case ComputeType::bf16:
        case ComputeType::count_:
            break;
    }
    return DType::bf16;
}

}  // namespace ridgeline
