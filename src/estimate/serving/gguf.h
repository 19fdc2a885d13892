#pragma once

#include "estimate/serving/gguf_block.h"
#include "estimate/work/operator.h"
#include "spec/architecture.h"

#include <optional>
#include <string_view>

namespace ridgeline {

/// A type of file: the block type of most tensors, and the mixture that llama.cpp's quantiser makes
/// of it ("q4_k_m" keeps half of the value and down projections in six bits). The i-types are taken
/// with an importance matrix, as they are published; without one some of their tensors are wider.
struct GgufFile {
    std::string_view name;  ///< as people write it, lower case: "q4_k_m"
    GgufBlock base = GgufBlock::f16;
};

/// The file type of that name; nothing when it is none.
std::optional<GgufFile> gguf_file(std::string_view name);

/// Bytes of one operator's weights, all its matrices, in a file of that type. The blocks of a layer
/// kind share an operator, so that a type that depends on the layer counts with its mean. Norms,
/// biases and routers stay in fp32.
///
/// block  the block that the operator is in; source: llama.cpp src/llama-quant.cpp
double gguf_weight_bytes(const GgufFile& file, const Architecture& architecture, const Block& block,
                         const Operator& op);

/// What a weight of one operator takes where up to eight rows are multiplied with it: the mean over
/// the layers, as `gguf_weight_bytes`.
RowWork gguf_row_work(const GgufFile& file, const Architecture& architecture, const Block& block,
                      const Operator& op);

/// Bytes of the whole file: tensors, and the vocabulary in its header. Within 0.5 % of published
/// files.
double gguf_file_bytes(const GgufFile& file, const Architecture& architecture);

}  // namespace ridgeline
