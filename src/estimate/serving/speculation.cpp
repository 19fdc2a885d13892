// What a draft proposes a step, and what it takes.
#include "estimate/families/transformer/parameters.h"
#include "estimate/serving/inference.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {

double speculated_tokens(const Serving& serving) {
    const double proposed = serving.draft_tokens;
    const double right = std::clamp(serving.acceptance, 0.0, 1.0);
    return right < 1 ? (1 - std::pow(right, proposed + 1)) / (1 - right) : proposed + 1;
}

double draft_time(const EstimateInput& input, const Serving& serving, const ServedPass& plain) {
    // A draft model reads its share of the weights; its layers, and so its kernels, grow with the
    // cube root of its size.
    const double whole = static_cast<double>(count_parameters(input.architecture).active);
    const double share = whole > 0 ? std::min(1.0, serving.draft_parameters / whole) : 0;
    return serving.draft_tokens * (share * (plain.products + plain.attention + plain.streaming) +
                                   std::cbrt(share) * (plain.gaps + plain.communication));
}

}  // namespace ridgeline
