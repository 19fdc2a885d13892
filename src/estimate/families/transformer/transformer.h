#pragma once

#include "estimate/work/operator.h"
#include "spec/architecture.h"

#include <array>

namespace ridgeline {

/// How many layers of each kind a range of layers holds, by `TransformerStack::layer_kind`
/// (Block::kind of the layer blocks).
struct LayerKinds {
    std::array<int, 6> count{};
};
LayerKinds layer_kinds(const TransformerStack& tower);
/// Layers begin <= i < end, for a pipeline stage.
LayerKinds layer_kinds(const TransformerStack& tower, int begin, int end);

}  // namespace ridgeline
