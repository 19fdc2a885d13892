#pragma once

#include "spec/architecture.h"

#include <string>
#include <vector>

namespace ridgeline {

/// Parameters of one group of equal tensors, for `profiles show` and the exactness tests.
struct ParameterGroup {
    std::string name;         ///< "layer.q_proj", "embedding", "experts.gate_proj"
    double parameters = 0;    ///< of one
    double count = 1;         ///< how many (layers x experts)
    double active_count = 1;  ///< how many a single token uses
};

struct ParameterCount {
    long long total = 0;
    long long active = 0;     ///< used by one token; equals total without experts
    long long embedding = 0;  ///< input tables (tokens, positions, types)
    long long head = 0;       ///< output projection when not tied
    std::vector<ParameterGroup> groups;
};

/// Exact parameter count of a model, from its shapes; tied tensors once.
ParameterCount count_parameters(const Architecture& architecture);

/// Bytes of keys and values (or latents) that one token adds to the cache, all layers, with
/// `bytes` per element; sliding-window layers count until their window is full.
double kv_bytes_per_token(const Architecture& architecture, double bytes_per_element);

/// Forward FLOPs of one token at a context of `context` tokens: 2 per active matrix parameter plus
/// causal attention.
double forward_flops_per_token(const Architecture& architecture, double context);

/// Forward FLOPs of one sample of a network: its matrix products and convolutions.
///
/// image_size  of a network of convolutions; 0: the size that it is made for
double forward_flops_of_sample(const Architecture& architecture, int image_size = 0);

}  // namespace ridgeline
