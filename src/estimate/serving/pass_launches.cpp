// Kernels that the host starts one by one in a pass that no graph holds.
#include "estimate/serving/pass_fold.h"

namespace ridgeline {
namespace {

/// Of chunked scans: sums of the rates, products within chunks, their solution (2), operands of the
/// state, the state from chunk to chunk, outputs, norms of queries and keys (2), gates, and the
/// state read from its place and written back (fla-org/flash-linear-attention
/// ops/gated_delta_rule/chunk.py; SGLang srt/layers/attention/fla and
/// hybrid_linear_attn_backend.py).
constexpr double delta_rule = 12;
/// Of Mamba-2: sums of the step sizes, products within chunks, states of chunks, their passage,
/// outputs, and the state read and written (mamba_ssm ops/triton/ssd_combined.py).
constexpr double grouped_rule = 7;

double of_scan(const StateMixer& mixer) {
    switch (mixer.rule) {
        case StateRule::delta:
            return delta_rule;
        case StateRule::grouped:
            return grouped_rule;
        default:
            return 1;
    }
}

}  // namespace

/// An engine whose modules are those that its decode is captured from: its own kernels, each
/// started by a call from Python (SGLang srt/models, srt/layers; vLLM V1 alike).
bool PassFold::starts_own_kernels() const {
    return fused && input.software.engine.scheduler.chunks;
}

/// The product quantises its input first (per_token_group_quant_fp8 and its like).
bool PassFold::quantizes_input(const Operator& op) const {
    return stored.quantized(op) && !stored.format()->dequantizes && native_format();
}

double PassFold::own_launches(const Operator& op, bool moe) const {
    if (op.forward_kernels == 0) {
        return 0;
    }
    // Products and activation of experts in one kernel of the library, which also sorts and sums.
    const bool one_kernel = moe && native_format() && stored.format()->bits < 8;
    const double product = 1 + (quantizes_input(op) ? 1 : 0);
    switch (op.role) {
        case Role::attention:
            // Keys and values to their places, the kernel itself; latent attention joins the parts
            // with and without positions to one key (forward_normal of deepseek_v2.py).
            return tower().mla ? 5 : 3;
        case Role::router:
            return one_kernel ? 2 : 3;  // product, choice, places of padding taken out
        case Role::dispatch:
            // Sorting (fill, count, sort) before, a sum behind: the list has one of these each.
            return one_kernel ? 0 : 2;
        case Role::expert_linear:
            return one_kernel ? 0.5 : product;
        case Role::activation:
            return one_kernel ? 0 : 1;
        case Role::rotary:
            return 0.5;  // q and k together
        case Role::residual:
            // The norm that follows adds it; what a shared expert made is added before.
            return op.name == "moe.sum" ? 1 : 0;
        case Role::scan:
            return tower().state ? of_scan(*tower().state) : 1;
        case Role::linear:
        case Role::head:
            return product;
        default:
            return 1;
    }
}

double PassFold::launches_of(const Operator& op, bool moe) const {
    if (starts_own_kernels()) {
        return own_launches(op, moe);
    }
    const bool packed = stored.quantized(op) && input.software.runtime.runs_transformers();
    const double bias = packed && has_bias(op) && stored.format()->dequantizes ? 1 : 0;
    const double casts = casts_weight(op) ? has_bias(op) ? 2 : 1 : 0;
    return op.forward_kernels + casts + (op.role == Role::attention ? copies_of(op).kernels : 0) +
           (packed ? bias + packed_launches(*stored.format(), input.workload, input.software,
                                            op.gemm.m)
                   : 0);
}

}  // namespace ridgeline
