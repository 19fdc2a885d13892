// Attention of one layer: query, key and value projections (or the latent ones of multi-head latent
// attention), query/key norms, rotary embedding, the core and the output projection.
#include "estimate/families/transformer/attention_core.h"

#include <algorithm>

namespace ridgeline {
namespace {

double local_kv_heads(const TransformerStack& tower, int tensor) {
    return std::max(1.0, static_cast<double>(tower.kv_heads) / tensor);
}

/// Rotary embedding of q or k: reads and writes it once in a fused kernel, about five times eager.
int add_rotary(BlockBuilder& builder, std::string_view name, int input, double elements) {
    const double bytes = elements * builder.shape().activation;
    const int output = builder.tensor(name, bytes);
    const bool fused = builder.workload().compiled ||
                       builder.software().kernels.activation == ActivationKernel::fused;
    Operator& op = builder.elementwise(name, Role::rotary, input, output, (fused ? 2 : 9) * bytes);
    op.forward_kernels = fused ? 1 : 5;
    op.backward_kernels = fused ? 1 : 7;
    return output;
}

int add_query_key_norm(BlockBuilder& builder, std::string_view name, QkNorm kind, int input,
                       double heads, double all_heads, double head_dim) {
    if (kind == QkNorm::none) {
        return input;
    }
    const PassShape& shape = builder.shape();
    if (kind == QkNorm::full) {
        return builder.norm(name, input, shape.tokens, heads * head_dim, heads * head_dim,
                            shape.activation);
    }
    const double weights = kind == QkNorm::head ? head_dim : all_heads * head_dim;
    return builder.norm(name, input, shape.tokens * heads, head_dim, weights, shape.activation);
}

bool workload_flash(const BlockBuilder& builder) {
    return builder.workload().attention != AttentionKernel::eager;
}

/// A copy that puts the heads of each token side by side.
int add_copy(BlockBuilder& builder, std::string_view name, int input, double elements) {
    const double bytes = elements * builder.shape().activation;
    const int output = builder.tensor(name, bytes);
    builder.elementwise(name, Role::other, input, output, 2 * bytes);
    return output;
}

/// Eager stacks repeat the key and value heads to the number of query heads before the kernel.
int add_repeat(BlockBuilder& builder, std::string_view name, int input, double elements) {
    const double bytes = elements * builder.shape().activation;
    const int output = builder.tensor(name, bytes);
    builder.elementwise(name, Role::other, input, output, 1.5 * bytes);
    return output;
}

/// DeBERTa's relative positions pass the matrices of q and k in every layer, or ones of their own:
/// the same tables for all samples.
void add_projected_positions(BlockBuilder& builder, const TransformerStack& tower, double width) {
    const double g = builder.shape().activation;
    const double rows = 2.0 * tower.relative_span;
    const int table = builder.tensor("relative positions", rows * tower.hidden * g);
    for (const bool key : {true, false}) {
        const bool biased = tower.shares_position_weights || !key;
        const int made = builder.linear(key ? "pos_proj" : "pos_q_proj", table, rows, width,
                                        tower.hidden, biased ? width : 0, g);
        Operator& op = builder.block().operators.back();
        if (tower.shares_position_weights) {
            op.parameters = 0;
        }
        builder.keep(op, made);
    }
}

int add_latent_attention(BlockBuilder& builder, const TransformerStack& tower, int input) {
    const PassShape& shape = builder.shape();
    const LatentAttention& mla = *tower.mla;
    const double g = shape.activation;
    const double heads = static_cast<double>(tower.heads) / shape.tensor;
    const double n = shape.tokens;
    // Megatron-Core repeats the products to the latent vectors on each rank, for the tokens of its
    // shard, and gathers before the next ones.
    const bool shards = builder.software().runtime.regathers_sequence();
    const double shard = shards ? shape.residual_tokens : n;
    const double qk = mla.nope_dim + mla.rope_dim;
    int q_source = input;
    if (mla.q_rank > 0) {
        const int q_a = builder.linear("q_a_proj", input, shard, mla.q_rank, tower.hidden, 0, g);
        q_source = builder.norm("q_a_layernorm", q_a, shard, mla.q_rank, mla.q_rank, g);
    }
    const double q_columns = mla.q_rank > 0 ? mla.q_rank : tower.hidden;
    q_source = shards ? builder.gathered("gather.q", q_source, q_columns) : q_source;
    const int q = builder.linear(mla.q_rank > 0 ? "q_b_proj" : "q_proj", q_source, n, heads * qk,
                                 q_columns, 0, g);
    const int kv_a = builder.linear("kv_a_proj_with_mqa", input, shard, mla.kv_rank + mla.rope_dim,
                                    tower.hidden, 0, g);
    int latent = builder.norm("kv_a_layernorm", kv_a, shard, mla.kv_rank, mla.kv_rank, g);
    latent = shards ? builder.gathered("gather.kv", latent, mla.kv_rank) : latent;
    const int kv = builder.linear("kv_b_proj", latent, n, heads * (mla.nope_dim + mla.v_dim),
                                  mla.kv_rank, 0, g);
    const int q_rotated = add_rotary(builder, "rotary.q", q, n * heads * qk);
    const int k = add_rotary(builder, "rotary.k", kv, n * heads * qk);
    // v is a view of kv_b's output: a stack that runs modules keeps all of that output.
    const double rest = shape.training && builder.runs_modules() ? n * heads * mla.nope_dim * g : 0;
    const int v = builder.tensor("v", n * heads * mla.v_dim * g);
    builder.block().operators.back().outputs[1] = v;  // parted from k where that is rotated
    AttentionCore core;
    core.heads = heads;
    core.kv_heads = heads;
    core.qk_dim = qk;
    core.v_dim = mla.v_dim;
    const bool prompt = !shape.training && shape.sequence > 1;
    const bool absorbs = prompt && builder.software().engine.absorbs_prompts;
    if (absorbs) {
        core.qk_dim = mla.kv_rank + mla.rope_dim;
        core.v_dim = mla.kv_rank;
    }
    core.cached = shape.training || (prompt && !absorbs) ? heads * (qk + mla.v_dim)
                                                         : mla.kv_rank + mla.rope_dim;
    core.causal = tower.causal;
    const int context = add_attention_core(builder, core, q_rotated, k, v, rest);
    return builder.linear("o_proj", context, n, tower.hidden, heads * mla.v_dim, 0,
                          shape.attention);
}

}  // namespace

int add_attention(BlockBuilder& builder, const TransformerStack& tower, int input, bool sliding) {
    if (tower.mla) {
        return add_latent_attention(builder, tower, input);
    }
    const PassShape& shape = builder.shape();
    const double g = shape.activation;
    const double n = shape.tokens;
    const double heads = static_cast<double>(tower.heads) / shape.tensor;
    const double kv_heads = local_kv_heads(tower, shape.tensor);
    const double q_width = heads * tower.head_dim;
    const double kv_width = kv_heads * tower.head_dim;
    const double hidden = tower.hidden;
    const double q_rows = (tower.query_gate ? 2 : 1) * q_width;
    int q = builder.linear("q_proj", input, n, q_rows, hidden, tower.qkv_bias ? q_rows : 0, g);
    const int gate = q;
    int k = builder.linear("k_proj", input, n, kv_width, hidden,
                           tower.qkv_bias && tower.key_bias ? kv_width : 0, g);
    int v = builder.linear("v_proj", input, n, kv_width, hidden, tower.qkv_bias ? kv_width : 0, g);
    q = add_query_key_norm(builder, "q_norm", tower.qk_norm, q, heads, tower.heads, tower.head_dim);
    k = add_query_key_norm(builder, "k_norm", tower.qk_norm, k, kv_heads, tower.kv_heads,
                           tower.head_dim);
    if (tower.rope) {
        q = add_rotary(builder, "rotary.q", q, n * q_width);
        k = add_rotary(builder, "rotary.k", k, n * kv_width);
    }
    // The products of the eager kernel know no groups of heads; the function that a plain loop
    // calls for flash attention does.
    const SoftwareProfile& software = builder.software();
    const bool groups = software.runtime.kind == RuntimeKind::plain &&
                        builder.workload().attention == AttentionKernel::flash;
    const bool repeats =
        ((software.kernels.attention.repeats_kv && !groups) || !workload_flash(builder)) &&
        shape.training && heads > kv_heads;
    if (repeats) {
        k = add_repeat(builder, "repeat.k", k, n * q_width);
        v = add_repeat(builder, "repeat.v", v, n * q_width);
    }
    AttentionCore core;
    core.heads = heads;
    core.kv_heads = kv_heads;
    core.qk_dim = tower.head_dim;
    core.v_dim = tower.head_dim;
    core.cached = 2 * kv_width;
    core.causal = tower.causal;
    core.window = sliding ? tower.sliding_window : 0;
    core.sinks = tower.attention_sinks;
    core.softmax_fp32 = tower.softmax_fp32;
    core.bias = tower.relative_buckets > 0;
    core.softcap = tower.logit_softcap;
    if (tower.relative_span > 0) {
        add_projected_positions(builder, tower, q_width);
        core.relative_rows = 2.0 * tower.relative_span;
    }
    const bool fused = builder.software().kernels.attention.fused_qkv ||
                       (tower.fused_qkv && builder.runs_modules());
    const bool view = fused && tower.rope && !repeats && shape.training;
    int context =
        add_attention_core(builder, core, q, k, v, view ? n * (q_width + kv_width) * g : 0);
    const bool core_again =
        builder.workload().plan.recompute == RecomputeMode::selective &&
        builder.software().runtime.selective() == SelectiveRecompute::core_attention;
    if (core_again && shape.training && tower.rope) {
        // What runs again takes the values as a view of the joint product, which lives as long.
        builder.keep(builder.block().operators.back(),
                     builder.tensor("joint product", n * (q_width + kv_width) * g));
    }
    // The kernel of fp32 operands answers token by token already.
    if (shape.training && tower.rope && workload_flash(builder) && shape.attention < 4 &&
        (builder.software().kernels.attention.fused_qkv ||
         (tower.joins_rotary && builder.runs_modules()))) {
        context = add_copy(builder, "attention.contiguous", context, n * q_width);
    }
    if (tower.query_gate) {
        context = add_attention_gate(builder, context, gate, n * q_width);
    }
    return builder.linear("o_proj", context, n, hidden, q_width, tower.out_bias ? hidden : 0,
                          shape.attention);
}

int add_cross_attention(BlockBuilder& builder, const TransformerStack& tower, int input,
                        double keys) {
    const PassShape& shape = builder.shape();
    const double g = shape.activation;
    const double n = shape.tokens;
    const double source = shape.samples * keys;  // tokens of the encoder's output
    const double width = static_cast<double>(tower.heads) / shape.tensor * tower.head_dim;
    const double hidden = tower.hidden;
    const double bias = tower.qkv_bias ? width : 0;
    // One tensor for all layers, which the encoder's end keeps; a layer keeps copies at most.
    const int memory = builder.tensor("encoder.output", source * hidden * shape.norm_output);
    const std::size_t first = builder.block().operators.size();
    const int q = builder.linear("cross.q_proj", input, n, width, hidden, bias, g);
    // Keys and values of the encoder's output are made once, with the prompt.
    const bool cached = !shape.training && shape.sequence < shape.keys;
    const auto only_held = [&] {
        Operator& op = builder.block().operators.back();
        if (cached) {
            op.role = Role::other;
            op.gemm = {};
            op.forward = Flops{};
            op.forward_traffic = Bytes{};
            op.forward_kernels = 0;
        }
    };
    const int k =
        builder.linear("cross.k_proj", memory, source, width, hidden, tower.key_bias ? bias : 0, g);
    only_held();
    const int v = builder.linear("cross.v_proj", memory, source, width, hidden, bias, g);
    only_held();
    AttentionCore core;
    core.heads = static_cast<double>(tower.heads) / shape.tensor;
    core.kv_heads = core.heads;
    core.qk_dim = tower.head_dim;
    core.v_dim = tower.head_dim;
    // Hypotheses of one search hear the same sound: what the encoder made of it is read once.
    // Of a phase of its own, and in a loop outside an engine, the samples are hypotheses; elsewhere
    // they are requests.
    const auto& serving = builder.workload().serving;
    const bool loop = builder.software().runtime.kind == RuntimeKind::plain;
    const bool one_search = cached && serving && (serving->phase == ServingPhase::decode || loop);
    const double heard = one_search ? std::max(1, builder.workload().batch.beam) : 1;
    core.cached = 2 * width / std::min(heard, std::max(1.0, shape.samples));
    core.causal = false;
    core.softmax_fp32 = tower.softmax_fp32;
    core.keys = keys;
    for (std::size_t i = first; i < builder.block().operators.size(); ++i) {
        auto& kept = builder.block().operators[i].kept;
        std::replace(kept.begin(), kept.end(), memory, no_tensor);
    }
    const int context = add_attention_core(builder, core, q, k, v);
    return builder.linear("cross.o_proj", context, n, hidden, width, tower.out_bias ? hidden : 0,
                          shape.attention);
}

}  // namespace ridgeline
