#pragma once

#include "estimate/families/transformer/block_builder.h"

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
