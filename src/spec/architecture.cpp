#include "spec/architecture.h"

namespace ridgeline {

Architecture Architecture::at_image_size(int side) const {
    if (!reads_images() || stacks.front().patch <= 0) {
        return *this;
    }
    Architecture other = *this;
    TransformerStack& stack = other.stacks.front();
    const auto patches = [&](int pixels) { return (pixels / stack.patch) * (pixels / stack.patch); };
    const int kept = stack.tokens - patches(stack.image);  // of a class
    stack.tokens = patches(side) + kept;
    stack.image = side;
    for (ExtraParameters& extra : other.extra) {
        if (extra.name == vision_positions) {
            extra.parameters = 1.0 * stack.hidden * stack.tokens;
        }
    }
    return other;
}

}  // namespace ridgeline
