#pragma once

#include "estimate/work/operator.h"
#include "spec/software_profile.h"
#include "spec/workload.h"

#include <vector>

namespace ridgeline {

/// What one block holds for one micro-batch on one rank, by the way its activations are kept.
struct BlockMemory {
    Bytes kept;            ///< without recomputation: distinct tensors kept for the backward pass
    Bytes kept_selective;  ///< with selective recomputation
    Bytes kept_full;       ///< with full recomputation: the block's input
    Bytes recomputed;      ///< `kept`, and the block's input where nothing keeps it
    Bytes forward_extra;   ///< highest transient of the forward pass beyond what is kept
    Bytes backward_extra;  ///< highest transient of the backward pass beyond `kept`: gradients of
                           ///< activations and workspaces, less what was already freed
    /// The same with the gradients of the block's weights that exist by then, less all of them:
    /// what the last layer to run back adds to the gradients of the whole stage. May be negative.
    Bytes backward_extra_last;
    Bytes compiled_again;  ///< with full recomputation: most of a compiled layer with fp8 products,
                           ///< in all (estimate/stacks/compiled_layer.h); 0: as the sums above
    Bytes quantized_inputs;  ///< distinct inputs of its quantised products
    Bytes inference_peak;    ///< highest sum of live tensors of a forward pass that keeps nothing
};

/// What decides, beside the stack, which tensors selective recomputation saves.
struct SavePolicy {
    bool compiled = false;  ///< a compiled graph drops what its backward part does not read
};

/// Walks a block's operators forward and backward as an autograd engine frees them.
BlockMemory memory_of(const Block& block, const Workload& workload,
                      const SoftwareProfile& software);

/// `inference_peak` of memory_of alone.
Bytes passing_peak(const Block& block);

/// Indices into Block::tensors of what is kept for the backward pass, in the order in which they
/// are made: their sizes sum to `kept`, `kept_selective` or `kept_full` of memory_of.
///
/// mode  of the layers; the ends keep all that they need
std::vector<int> kept_tensors(const Block& block, RecomputeMode mode,
                              const SoftwareProfile& software, SavePolicy policy);

}  // namespace ridgeline
