#include "estimate/serving/kv_cache.h"

#include "estimate/families/transformer/transformer.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

/// Bytes of what a layer remembers of a sequence of any length: its state, in fp32 (vLLM holds it
/// in 16 bits where a configuration does not ask for more), and the last tokens of its convolution.
double remembered_bytes(const StateMixer& mixer) {
    return 4.0 * mixer.inner * mixer.state + 2.0 * mixer.convolved() * mixer.taps;
}

}  // namespace

double kv_cache_bytes(const Architecture& architecture, const Plan& plan, double bytes_per_element,
                      double tokens, double source) {
    if (architecture.stacks.empty()) {
        return 0;
    }
    const TransformerStack& tower = architecture.text();
    if (!tower.causal) {
        return 0;
    }
    const LayerKinds kinds = layer_kinds(tower);
    const double apart = kinds.count[1] + kinds.count[3] + kinds.count[5];
    const double sliding = tower.state ? 0 : apart;
    const bool beside = tower.state && tower.state->beside_attention;
    const double global = kinds.count[0] + kinds.count[2] + kinds.count[4] + (beside ? apart : 0);
    const double window = tower.sliding_window > 0
                              ? std::min(tokens, static_cast<double>(tower.sliding_window))
                              : tokens;
    double width = 0;
    if (tower.mla) {
        width = tower.mla->kv_rank + tower.mla->rope_dim;  // one latent, not split over ranks
    } else {
        width =
            2.0 * tower.head_dim * std::max(1.0, static_cast<double>(tower.kv_heads) / plan.tensor);
    }
    double elements = (global * tokens + sliding * window) * width;
    if (tower.cross_attention) {
        // The other stack's length where it is fixed (audio frames), else the sequence's.
        const int fixed = architecture.stacks.front().tokens;
        elements += tower.layers * (fixed > 0 ? fixed : source > 0 ? source : tokens) * width;
    }
    const double states = tower.state ? apart * remembered_bytes(*tower.state) / plan.tensor : 0;
    // Of the stage with most layers, where they do not divide.
    const double layers = std::max(1, tower.layers);
    return (elements * bytes_per_element + states) * std::ceil(layers / plan.pipeline) / layers;
}

}  // namespace ridgeline
