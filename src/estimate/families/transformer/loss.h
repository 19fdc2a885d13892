#pragma once

#include "estimate/families/transformer/block_builder.h"

namespace ridgeline {

/// Whether a loss of torch's over slices of the vocabulary (DTensor's loss_parallel) runs as eager
/// kernels: where nothing is compiled, or the stack leaves its loss out of what is (torchtitan from
/// 2024-12-18 to 2025-04-02).
bool slices_eagerly(const SoftwareProfile& software, const Workload& workload);

/// The projection to the vocabulary and, in training, the cross-entropy over `tokens` tokens with
/// `rows` vocabulary rows on this rank (estimate/families/transformer/loss.cpp). Returns the
/// logits.
int add_head(BlockBuilder& builder, const Architecture& architecture, int input, double tokens,
             double rows, double columns);

}  // namespace ridgeline
