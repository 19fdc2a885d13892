#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "base/dtype.h"

namespace ridgeline {

/// Layout of one quantised storage format.
struct QuantFormat {
    std::string_view name;
    double bits = 16;              ///< of one weight, scales excluded
    double block = 0;              ///< weights that share a scale along a row; 0: one scale a row
    double scale_bits = 0;         ///< bits of scale, minimum and zero point per block
    double second_block = 0;       ///< double quantisation: blocks that share a second-level scale
    double second_scale_bits = 0;
    bool gguf = false;
    ComputeType compute = ComputeType::bf16;  ///< products run in this type
    bool dequantizes = true;       ///< weights are expanded to the compute type before the product
    /// Training: bytes that expanding one weight moves beside its stored form, and kernels of it. One
    /// fused kernel writes 16 bits; AutoGPTQ's torch path streams int32, int8 and fp16 copies.
    double expanded_traffic = 2;
    double expansion_kernels = 1;
    std::string_view source;
};

/// The format with that name ("nf4", "gptq-int4", "q4_k_m", "mxfp4", ...), or null.
const QuantFormat* quant_format(std::string_view name);
std::span<const QuantFormat> quant_formats();

/// Bytes of one weight matrix [rows, columns] stored in the format, scales included.
double quantized_bytes(const QuantFormat& format,
                       double rows,
                       double columns,
                       bool double_quantization);

}  // namespace ridgeline
