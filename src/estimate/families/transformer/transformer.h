#pragma once

#include "estimate/work/operator.h"
#include "spec/architecture.h"

#include <array>

namespace ridgeline {

/// How many layers of each kind a range of layers holds: index 0 dense, 1 dense sliding, 2 mixture
/// of experts, 3 mixture of experts sliding (Block::kind of the layer blocks).
struct LayerKinds {
    std::array<int, 4> count{};
};
LayerKinds layer_kinds(const TransformerStack& tower);
/// Layers begin <= i < end, for a pipeline stage.
LayerKinds layer_kinds(const TransformerStack& tower, int begin, int end);

}  // namespace ridgeline
