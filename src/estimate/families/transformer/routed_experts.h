#pragma once

#include "estimate/families/transformer/block_builder.h"

#include <algorithm>
#include <cstddef>

namespace ridgeline {

/// What the operators of one rank's routed experts share: counts of tokens and sizes of one expert.
struct RoutedExperts {
    double element;  ///< bytes
    double hidden;
    double width;    ///< of an expert on this rank
    double experts;  ///< on this rank
    double tokens;   ///< that this rank routes
    double sent;     ///< that its router sees
    double routed;   ///< copies that its experts read
    double rows;     ///< the same, with the padding of grouped products
    double sorting;  ///< bytes of one more pass over the copies each way; 0: none
    bool exchanged;  ///< between the ranks of expert parallelism
    bool inside;     ///< routing weights are multiplied in the activation
    [[nodiscard]] bool sorts() const { return sorting > 0; }
    [[nodiscard]] double copies() const { return routed * hidden * element; }  ///< bytes
};

/// Ranks that serve a token together, by tensor parallelism of attention, and part its experts
/// among them.
inline double ranks_of_a_token(const PassShape& shape) {
    return shape.training ? 1.0 : std::min(shape.tensor, shape.expert);
}

/// Ranks of tensor parallelism that split the width of one expert: all of them without expert
/// parallelism. A server parts its ranks of tensor parallelism into groups of experts and splits
/// each expert among the ranks of its group (SGLang, parallel_state.py: moe_tp_size = tp_size /
/// ep_size); training stacks keep experts whole.
inline double ranks_of_an_expert(const PassShape& shape) {
    if (shape.expert <= 1) {
        return shape.tensor;
    }
    return shape.training ? 1.0 : std::max(1, shape.tensor / shape.expert);
}

/// Every rank has the tokens of all: each runs those of its own experts, and what they make is
/// summed as after experts that tensor parallelism splits (SGLang without `--moe-a2a-backend`,
/// vLLM with one data-parallel rank). Nothing is dispatched.
inline bool sums_experts(const PassShape& shape) {
    return !shape.training && shape.expert > 1 && shape.expert <= shape.tensor;
}

/// Llama 4's modules in Transformers hand each token to every expert, weighed before the first
/// product by zero where the router did not choose it (modeling_llama4.py, Llama4TextMoe).
bool multiplies_every_expert(const BlockBuilder& builder, const MixtureOfExperts& moe);

/// What Transformers' own modules make of the list of grouped products in training: a walk over
/// the experts, or torch's indexing around them. Nothing under other stacks.
///
/// first  operator that sorts the copies; the last one of the block sums them
void run_transformers_experts(BlockBuilder& builder, const MixtureOfExperts& moe,
                              const RoutedExperts& of, std::size_t first);

}  // namespace ridgeline
