#pragma once

#include "base/result.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace ridgeline {

/// The model that the header of a file of weights describes.
struct DescribedModel {
    std::string kind;               ///< "gguf", "safetensors"
    nlohmann::json config;          ///< a config.json
    std::string quantization;       ///< type of most weights; empty: as the config says
    double parameters = 0;          ///< of all tensors; 0: the header lists none
    std::vector<std::string> open;  ///< what the header leaves open and was taken as usual
};

/// Whether a tree is such a header:
///   {"gguf": {"general.architecture": "llama", ...}, "tensors": [...]}, or "safetensors" for
///   "gguf".
/// A list among the keys stands as {"length": n}. Tensors are
///   {"name": "blk.*.attn_q.weight", "type": 12 or "BF16", "shape": [4096, 4096], "count": 32,
///   "last": 31}
/// with a star for the number of the layer, how many there are, and the number of the last.
bool is_weight_header(const nlohmann::json& tree);

/// errors  a key that the architecture needs and that is missing, an architecture that is not
/// known,
///         a part of a model
Result<DescribedModel> described_model(const nlohmann::json& tree, const std::string& where);

/// The header of a GGUF or safetensors file on disk as such a tree; nothing for other files.
///
/// errors  a header that is cut off, or that claims more than 64 MiB
Result<std::optional<nlohmann::json>> weight_header_of(const std::string& path);

}  // namespace ridgeline
