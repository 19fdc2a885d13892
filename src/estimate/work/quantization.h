#pragma once

#include "base/dtype.h"

#include <string_view>

namespace ridgeline {

struct SoftwareProfile;
struct Workload;

/// Layout of one quantised storage format.
struct QuantFormat {
    std::string_view name;
    double bits = 16;         ///< of one weight, scales excluded
    double block = 0;         ///< weights that share a scale along a row; 0: one scale a row
    double scale_bits = 0;    ///< bits of scale, minimum and zero point per block
    double second_block = 0;  ///< double quantisation: blocks that share a second-level scale
    double second_scale_bits = 0;
    double block_rows = 1;          ///< rows that a block spans besides (FP8 tiles of 128 x 128)
    double column_bits = 0;         ///< of an index a column of the matrix has (GPTQ's g_idx)
    double matrix_bits = 0;         ///< of what a matrix has once: code table, offset, global scale
    double second_matrix_bits = 0;  ///< of what double quantisation adds to that
    bool keeps_input = false;       ///< a frozen product keeps its input for the backward pass
    bool upcasts_rest = false;      ///< PEFT's k-bit preparation makes the rest of the model fp32
    bool gguf = false;
    ComputeType compute = ComputeType::bf16;  ///< products run in this type
    bool dequantizes = true;  ///< weights are expanded to the compute type before the product
    /// Training: bytes that expanding one weight moves beside its stored form, and kernels of it.
    /// One fused kernel writes 16 bits; AutoGPTQ's torch path streams int32, int8 and fp16 copies.
    double expanded_traffic = 2;
    double expansion_kernels = 1;
    std::string_view source;
};

/// The format with that name ("nf4", "gptq-int4", "q4_k_m", "mxfp4", ...), or null.
const QuantFormat* quant_format(std::string_view name);

/// Whether norms that are not quantised are made fp32 before training: stacks with PEFT's k-bit
/// preparation, formats of bitsandbytes.
bool upcasts_rest(const Workload& workload, const SoftwareProfile& software);
/// The same of embedding and head.
bool upcasts_tables(const Workload& workload, const SoftwareProfile& software);
/// Whether these make the stream of a training step fp32.
///
/// norms_keep_type  a norm answers in the type of its input, whatever its weight's is
bool widens_stream(const Workload& workload, const SoftwareProfile& software, bool norms_keep_type);

/// Bytes of one weight matrix [rows, columns] stored in the format, scales included.
double quantized_bytes(const QuantFormat& format, double rows, double columns,
                       bool double_quantization);

}  // namespace ridgeline
