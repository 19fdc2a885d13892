#include "estimate/serving/kv_cache.h"

#include "estimate/families/transformer/transformer.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {

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
    const double sliding = kinds.count[1] + kinds.count[3];
    const double global = kinds.count[0] + kinds.count[2];
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
    // Of the stage with most layers, where they do not divide.
    const double layers = std::max(1, tower.layers);
    return elements * bytes_per_element * std::ceil(layers / plan.pipeline) / layers;
}

}  // namespace ridgeline
