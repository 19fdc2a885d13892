#pragma once

#include <string>
#include <string_view>

namespace ridgeline {

/// A hub's id whose last words name how the weights are stored.
struct StoredName {
    std::string model;         ///< without those words: "qwen/qwen2.5-32b-instruct"
    std::string quantization;  ///< "awq-int4"; empty: the name says nothing
};

/// "Qwen/Qwen2.5-32B-Instruct-AWQ", "org/X-quantized.w8a8", "org/X-GGUF:Q4_K_M". A GGUF repository
/// that names no type is taken as q4_k_m, which llama.cpp fetches then.
StoredName stored_name(std::string_view id);

}  // namespace ridgeline
