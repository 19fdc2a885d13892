#pragma once

#include "estimate/families/transformer/block_builder.h"

namespace ridgeline {

/// The projection to the vocabulary and, in training, the cross-entropy over `tokens` tokens with
/// `rows` vocabulary rows on this rank (estimate/families/transformer/loss.cpp). Returns the
/// logits.
int add_head(BlockBuilder& builder, const Architecture& architecture, int input, double tokens,
             double rows, double columns);

}  // namespace ridgeline
