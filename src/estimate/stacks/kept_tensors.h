#pragma once

#include "estimate/input.h"
#include "estimate/results.h"
#include "estimate/stacks/block_memory.h"

#include <string_view>
#include <vector>

namespace ridgeline {

/// A tensor that one block keeps from its forward pass for its backward pass.
struct KeptTensor {
    std::string_view block;  ///< "layer", "head", ...
    std::string_view name;   ///< "q_proj.output", "logits", ...
    Bytes size;              ///< of one micro-batch on one rank
    double tokens = 1;       ///< of that micro-batch: size / tokens is what one token takes
    int repeats = 1;         ///< layers of this kind in the model
};

/// The policy of selective recomputation of this workload on this accelerator.
SavePolicy save_policy(const EstimateInput& input);

/// What a training step keeps, block by block in the order of the model and tensor by tensor as
/// they are made: the sum over a block, times its layers in flight, is the component
/// "activations.layers" (of the last block: "loss kept"). Empty for inference.
std::vector<KeptTensor> kept_by_step(const EstimateInput& input);

}  // namespace ridgeline
