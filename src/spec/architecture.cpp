#include "spec/architecture.h"

namespace ridgeline {

Architecture Architecture::at_image_size(int side) const {
    if (!reads_images() || stacks.front().patch <= 0) {
        return *this;
    }
    Architecture other = *this;
    TransformerStack& tower = other.stacks.front();
    const auto patches = [&](int pixels) {
        return (pixels / tower.patch) * (pixels / tower.patch);
    };
    const int kept = tower.tokens - patches(tower.image);  // of a class
    tower.tokens = patches(side) + kept;
    tower.image = side;
    for (ExtraParameters& extra : other.extra) {
        if (extra.name == vision_positions) {
            extra.parameters = 1.0 * tower.hidden * tower.tokens;
        }
    }
    return other;
}

bool Architecture::operator==(const Architecture&) const = default;

}  // namespace ridgeline
