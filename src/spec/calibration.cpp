#include "spec/calibration.h"

#include <array>
#include <utility>

namespace ridgeline {
namespace {
constexpr std::array<std::pair<OperatorClass, std::string_view>, all_operator_classes> class_names{{
    {OperatorClass::gemm, "gemm"},
    {OperatorClass::grouped_gemm, "grouped_gemm"},
    {OperatorClass::fused_experts, "fused_experts"},
    {OperatorClass::gemv, "gemv"},
    {OperatorClass::attention_forward, "attention_forward"},
    {OperatorClass::attention_backward, "attention_backward"},
    {OperatorClass::attention_decode, "attention_decode"},
    {OperatorClass::convolution, "convolution"},
    {OperatorClass::depthwise_convolution, "depthwise_convolution"},
    {OperatorClass::streaming, "streaming"},
    {OperatorClass::one_way_stream, "one_way_stream"},
    {OperatorClass::embedding, "embedding"},
    {OperatorClass::optimizer, "optimizer"},
    {OperatorClass::cached_stream, "cached_stream"},
    {OperatorClass::stencil, "stencil"},
    {OperatorClass::lattice, "lattice"},
    {OperatorClass::fft, "fft"},
    {OperatorClass::fft_strided, "fft_strided"},
    {OperatorClass::sparse, "sparse"},
    {OperatorClass::irregular_sparse, "irregular_sparse"},
    {OperatorClass::sort, "sort"},
    {OperatorClass::particles, "particles"},
    {OperatorClass::pairs, "pairs"},
}};
}  // namespace

std::string_view name_of(OperatorClass operator_class) {
    for (const auto& [value, name] : class_names) {
        if (value == operator_class) {
            return name;
        }
    }
    return "unknown";
}

std::optional<OperatorClass> operator_class_named(std::string_view name) {
    for (const auto& [value, known] : class_names) {
        if (known == name) {
            return value;
        }
    }
    return std::nullopt;
}

}  // namespace ridgeline
