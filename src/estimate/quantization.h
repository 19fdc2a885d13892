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

/// Mean bits of one weight of the named projection ("v_proj", "down_proj", ...) in a served type;
/// llama.cpp's mixed types (q4_k_m, ...) keep part of some tensors wider. Scales of block formats
/// that are not GGUF are not in it (see quantized_bytes).
double bits_per_weight(std::string_view type, std::string_view tensor);

/// Format of one tensor of a GGUF file of the given type: the output table of small types is q6_k.
const QuantFormat* tensor_format(std::string_view type, std::string_view tensor, bool output);

}  // namespace ridgeline
