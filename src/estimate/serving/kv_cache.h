#pragma once

#include "spec/architecture.h"
#include "spec/workload.h"

namespace ridgeline {

/// Bytes of keys and values (latents with multi-head latent attention) that one rank holds for one
/// sequence of `tokens` tokens: layers of its pipeline stage, its share of the KV heads (never less
/// than one head), sliding-window layers only their window, layers with a state that state alone.
///
/// bytes_per_element  of the cache type
/// source             tokens of the encoder that cross attention reads, where the encoder has no
///                    length of its own; 0: as many as `tokens`
double kv_cache_bytes(const Architecture& architecture, const Plan& plan, double bytes_per_element,
                      double tokens, double source = 0);

}  // namespace ridgeline
