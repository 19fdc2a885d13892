// Experts as the modules of Hugging Face Transformers run them in training.
#include "estimate/families/transformer/routed_experts.h"

#include <cmath>

namespace ridgeline {
namespace {

/// Experts that modules of Transformers walk over: each visit launches every kernel anew, and the
/// gradient of picking its tokens is a tensor of all tokens, zero but for them, that is added to
/// those of the experts before (torch, index_put with sorted places; the sum of gradients).
void walk_experts(BlockBuilder& builder, const MixtureOfExperts& moe, const RoutedExperts& of,
                  std::size_t first) {
    const double chosen = 1.0 * moe.experts_per_token / moe.experts;
    const double visits = of.experts * (1 - std::pow(1 - chosen, of.tokens));
    constexpr double scattered = 8;  // kernels: zeros, places, their sort, the sums, the addition
    std::vector<Operator>& operators = builder.block().operators;
    operators[first].backward_kernels = scattered;
    const double all_tokens = of.tokens * of.hidden * of.element;
    operators[first].backward_traffic = Bytes::of_base(3 * of.copies() + 4 * visits * all_tokens);
    // Weighed and added to the sum; back picked, weighed, and summed for the weights' gradient.
    operators.back().forward_traffic = Bytes::of_base(5 * of.copies() + all_tokens);
    operators.back().backward_traffic = Bytes::of_base(8 * of.copies());
    for (std::size_t i = first; i < operators.size(); ++i) {
        Operator& op = operators[i];
        op.forward_kernels *= visits;
        op.backward_kernels *= visits;
        if (op.operator_class == OperatorClass::grouped_gemm) {
            op.operator_class = OperatorClass::gemm;  // an expert at a time
        }
    }
}

/// Grouped products of Transformers 5: tokens are picked, put in the order of their experts,
/// weighed, put back and added, each a kernel of torch's indexing (integrations/moe.py).
void index_copies(BlockBuilder& builder, const RoutedExperts& of, std::size_t first) {
    const double all_tokens = of.tokens * of.hidden * of.element;
    Operator& dispatch = builder.block().operators[first];
    Operator& combine = builder.block().operators.back();
    dispatch.forward_traffic = Bytes::of_base(4 * of.copies());
    dispatch.backward_traffic = Bytes::of_base(7 * of.copies() + all_tokens);
    dispatch.forward_kernels = 16;  // two sorts, places, counts, their sums, four picks
    dispatch.backward_kernels = 16;
    combine.forward_traffic = Bytes::of_base(7 * of.copies() + all_tokens);
    combine.backward_traffic = Bytes::of_base(12 * of.copies());
    combine.forward_kernels = 5;
    combine.backward_kernels = 14;
}

}  // namespace

bool multiplies_every_expert(const BlockBuilder& builder, const MixtureOfExperts& moe) {
    return moe.every_expert && builder.shape().training &&
           builder.software().runtime.runs_transformers();
}

void run_transformers_experts(BlockBuilder& builder, const MixtureOfExperts& moe,
                              const RoutedExperts& of, std::size_t first) {
    const RuntimeProfile& runtime = builder.software().runtime;
    if (!builder.shape().training || !runtime.runs_transformers()) {
        return;
    }
    if (multiplies_every_expert(builder, moe)) {
        for (std::size_t i = first; i < builder.block().operators.size(); ++i) {
            Operator& op = builder.block().operators[i];
            op.useful = 1.0 * moe.experts_per_token / of.experts;
            if (op.operator_class == OperatorClass::grouped_gemm) {
                op.operator_class = OperatorClass::gemm;  // all in one batched product
            }
        }
    } else if (runtime.walks_experts()) {
        walk_experts(builder, moe, of, first);
    } else if (builder.runs_modules()) {
        index_copies(builder, of, first);
    }
}

}  // namespace ridgeline
