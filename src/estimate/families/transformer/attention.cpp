// Attention of one layer: query, key and value projections (or the latent ones of multi-head latent
// attention), query/key norms, rotary embedding, the score-softmax-value core and the output
// projection.
//
// FLOPs of the core count a causal mask as half of the full square and a sliding window as its band
// (contract: time model). What the core keeps depends on the kernel: flash keeps q, k, v, the
// output and one fp32 log-sum-exp a row; the eager kernel materialises scores in the compute type
// and the softmax in fp32 (Hugging Face eager_attention_forward).
#include "estimate/families/transformer/block_builder.h"

#include <algorithm>

namespace ridgeline {
namespace {

/// Query-key pairs of one sample and head on this rank: each of the `sequence` new tokens sees up
/// to `keys` keys, the causal mask halves the square among the new ones.
double score_pairs(const PassShape& shape, bool causal, double window) {
    const double added = shape.sequence * shape.context;  // new tokens of the whole sequence
    const double past = std::max(0.0, shape.keys - added);
    const double reach = window > 0 ? std::min(window, shape.keys) : shape.keys;
    double pairs = added * reach;
    if (causal) {
        // Token i sees past + i + 1 keys until its window is full.
        const double growing = std::clamp(reach - past, 0.0, added);
        pairs = growing * past + growing * growing / 2 + (added - growing) * reach;
    }
    return pairs / shape.context;
}

struct Core {
    double heads = 0;     ///< query heads on this rank
    double kv_heads = 0;  ///< key and value heads on this rank
    double qk_dim = 0;
    double v_dim = 0;
    double cached = 0;  ///< elements of the cache that one key of one sample costs here
    bool causal = true;
    double window = 0;
    bool sinks = false;
    bool softmax_fp32 = true;
    bool bias = false;  ///< a trained bias for each head and pair of positions (T5)
    double softcap = 0;
    double keys = 0;  ///< keys of a sample where they are not the pass's (encoder); 0: those
};

/// The 16-bit copy that autocast makes of an operand.
int add_cast(BlockBuilder& builder, std::string_view name, int input) {
    const PassShape& shape = builder.shape();
    const double bytes = builder.size_of(input).base() * shape.attention / shape.activation;
    const int output = builder.tensor(name, bytes);
    builder.elementwise(name, Role::other, input, output, bytes + builder.size_of(input).base());
    return output;
}

/// Scores of all heads, without regard to the mask.
double square_of(const PassShape& shape, const Core& core) {
    return shape.samples * shape.sequence * shape.keys * core.heads;
}

/// Bytes of an element of the softmax. Autocast runs one that states no type in fp32; the one
/// behind attention sinks states the type of its scores, which sinks in fp32 make fp32.
double softmax_bytes(const BlockBuilder& builder, const Core& core) {
    const PassShape& shape = builder.shape();
    const bool wide = core.sinks ? shape.casts_weights : shape.autocast;
    return core.softmax_fp32 || wide ? 4 : shape.attention;
}

/// Figures of eager attention: the whole square is computed and stored, the mask only sets it to
/// minus infinity.
void add_scores(const BlockBuilder& builder, const Core& core, Operator& op, double square) {
    const PassShape& shape = builder.shape();
    const double g = shape.attention;
    const double wide = softmax_bytes(builder, core);
    op.forward = Flops::of_base(2 * square * (core.qk_dim + core.v_dim));
    op.backward = shape.training ? 2.0 * op.forward : Flops{};
    op.forward_kernels = 6;
    op.backward_kernels = 8;
    const double passes = core.softcap > 0 ? 12 : 8;
    op.forward_traffic = op.forward_traffic + Bytes::of_base(square * passes * g);
    op.backward_traffic = op.backward_traffic + Bytes::of_base(square * passes * g);
    // An engine plans its graph ahead: the fp32 products are masked and made the softmax in place
    // (ggml: KQ is F32 and ggml_soft_max_ext may reuse its operand).
    const bool planned = builder.software().runtime.kind == RuntimeKind::engine;
    op.workspace_forward =
        Bytes::of_base(square * (planned ? 4 : 2 * g + (core.softmax_fp32 ? wide : 0)));
    // The gradient of the softmax, its product with the softmax (softmax_backward_cuda) and the
    // scores' gradient, when the 16-bit probabilities beside an fp32 softmax are free and the
    // gradients of queries and keys are not made.
    const double later =
        g * shape.samples * core.qk_dim * core.heads * (shape.sequence + shape.keys);
    op.workspace_backward =
        Bytes::of_base(std::max(0.0, square * (3 * wide - (wide > g ? g : 0)) - later));
}

/// What eager attention keeps of its scores.
void keep_scores(BlockBuilder& builder, const Core& core, Operator& op, double square) {
    const double g = builder.shape().attention;
    const double wide = softmax_bytes(builder, core);
    if (wide > g || g >= 4) {
        builder.keep(op, builder.tensor("attention.softmax_fp32", square * 4));
    }
    if (g < 4) {
        builder.keep(op, builder.tensor("attention.probabilities", square * g));
    }
    if (core.softcap > 0) {
        builder.keep(op, builder.tensor("attention.softcap", square * g));
    }
    if (core.sinks) {
        // The largest score of each row, whose index has 8 bytes.
        builder.keep(op,
                     builder.tensor("attention.row_maximum", square / builder.shape().keys * 8));
    }
}

/// Context parallelism that gathers keys and values once and then walks through them as a ring
/// (torch.distributed.tensor.experimental._attention): beside the gathered ones a joined copy, the
/// partial outputs in fp32; backward the fp32 gradients, those of keys and values joined, sent on
/// and added.
void add_gathered_ring(Operator& op, double ranks, double q_bytes, double kv_bytes) {
    op.workspace_forward =
        std::max(op.workspace_forward, Bytes::of_base(kv_bytes * (ranks + 1) + 8 * q_bytes));
    op.workspace_backward =
        std::max(op.workspace_backward, Bytes::of_base(kv_bytes * (ranks + 8) + 2 * q_bytes));
}

/// The score-softmax-value core. Returns its output [tokens, heads x v_dim].
///
/// rest: bytes of the fused product's buffer besides v, where v is a view that keeps all of it.
int add_core(BlockBuilder& builder, const Core& core, int q, int k, int v, double rest = 0) {
    PassShape shape = builder.shape();
    shape.keys = core.keys > 0 ? core.keys : shape.keys;
    const double g = shape.attention;
    const double pairs = shape.samples * score_pairs(shape, core.causal, core.window) * core.heads;
    const int output = builder.tensor("attention", shape.tokens * core.heads * core.v_dim * g);
    AttentionKernel kernel = builder.workload().attention;

    const double keys = core.window > 0 ? std::min(core.window, shape.keys) : shape.keys;
    const double kv_read = shape.samples * keys * core.cached * g;
    const double q_bytes = shape.tokens * core.heads * core.qk_dim * g;
    if (shape.training && g < shape.activation) {
        q = add_cast(builder, "attention.q_cast", q);
        k = add_cast(builder, "attention.k_cast", k);
        v = add_cast(builder, "attention.v_cast", v);
    }
    const double out_bytes = shape.tokens * core.heads * core.v_dim * g;
    Operator op;
    op.name = "attention";
    op.role = Role::attention;
    const bool decode = !shape.training && shape.sequence <= 1;
    op.operator_class = decode ? OperatorClass::attention_decode : OperatorClass::attention_forward;
    op.gemm = {pairs, core.qk_dim, core.v_dim, 0};
    op.forward = Flops::of_base(2 * pairs * (core.qk_dim + core.v_dim));
    op.trains = false;
    op.inputs = {q, k, v, no_tensor};
    op.outputs[0] = output;
    op.parameters = core.sinks ? core.heads : 0;
    op.forward_traffic = Bytes::of_base(q_bytes + kv_read + out_bytes);
    if (shape.training) {
        // Flash recomputes the scores: five products of the pair count against two forward.
        op.backward = kernel == AttentionKernel::eager ? 2.0 * op.forward : 2.5 * op.forward;
        op.backward_traffic = Bytes::of_base(3 * q_bytes + 3 * kv_read + 2 * out_bytes);
    }
    if (kernel == AttentionKernel::eager) {
        add_scores(builder, core, op, square_of(shape, core));
        Operator& added = builder.add(op);
        for (const int tensor : {q, k, v}) {
            builder.keep(added, tensor);
        }
        keep_scores(builder, core, added, square_of(shape, core));
        return output;
    }
    if (core.bias && shape.training) {
        // The kernel reads the bias as a tensor of its own and makes its gradient for each sample.
        const double square = square_of(shape, core);
        op.workspace_backward = Bytes::of_base(shape.base_trains ? square * g : 0);
        builder.keep(op, builder.tensor("attention.bias", square / shape.samples * g));
    }
    // delta and the fp32 dq
    op.workspace_backward =
        op.workspace_backward + Bytes::of_base(shape.tokens * core.heads * 4 + q_bytes * 2);
    if (shape.context > 1 && builder.software().runtime.gathers_context()) {
        add_gathered_ring(
            op, shape.context, q_bytes, (builder.size_of(k) + builder.size_of(v)).base());
    }
    Operator& added = builder.add(op);
    builder.keep(added, q);
    builder.keep(added, k);
    builder.keep(added, v);
    builder.keep(added, output);
    builder.keep(added, builder.tensor("attention.logsumexp", shape.tokens * core.heads * 4));
    if (rest > 0) {
        builder.keep(added, builder.tensor("attention.fused_qkv", rest));
    }
    if (shape.context > 1) {
        // The kernel keeps its output; the exchange back to this rank's tokens makes another.
        builder.keep(added, builder.tensor("attention.exchanged", out_bytes));
    }
    return output;
}

double local_kv_heads(const TransformerStack& stack, int tensor) {
    return std::max(1.0, static_cast<double>(stack.kv_heads) / tensor);
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

int add_query_key_norm(BlockBuilder& builder,
                       std::string_view name,
                       QkNorm kind,
                       int input,
                       double heads,
                       double all_heads,
                       double head_dim) {
    if (kind == QkNorm::none) {
        return input;
    }
    const PassShape& shape = builder.shape();
    if (kind == QkNorm::full) {
        return builder.norm(
            name, input, shape.tokens, heads * head_dim, heads * head_dim, shape.activation);
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

int add_latent_attention(BlockBuilder& builder, const TransformerStack& stack, int input) {
    const PassShape& shape = builder.shape();
    const LatentAttention& mla = *stack.mla;
    const double g = shape.activation;
    const double heads = static_cast<double>(stack.heads) / shape.tensor;
    const double n = shape.tokens;
    // Megatron-Core repeats the products to the latent vectors on each rank, for the tokens of its
    // shard, and gathers before the next ones.
    const bool shards = builder.software().runtime.regathers_sequence();
    const double shard = shards ? shape.residual_tokens : n;
    const double qk = mla.nope_dim + mla.rope_dim;
    int q_source = input;
    if (mla.q_rank > 0) {
        const int q_a = builder.linear("q_a_proj", input, shard, mla.q_rank, stack.hidden, 0, g);
        q_source = builder.norm("q_a_layernorm", q_a, shard, mla.q_rank, mla.q_rank, g);
    }
    const double q_columns = mla.q_rank > 0 ? mla.q_rank : stack.hidden;
    q_source = shards ? builder.gathered("gather.q", q_source, q_columns) : q_source;
    const int q = builder.linear(
        mla.q_rank > 0 ? "q_b_proj" : "q_proj", q_source, n, heads * qk, q_columns, 0, g);
    const int kv_a = builder.linear(
        "kv_a_proj_with_mqa", input, shard, mla.kv_rank + mla.rope_dim, stack.hidden, 0, g);
    int latent = builder.norm("kv_a_layernorm", kv_a, shard, mla.kv_rank, mla.kv_rank, g);
    latent = shards ? builder.gathered("gather.kv", latent, mla.kv_rank) : latent;
    const int kv = builder.linear(
        "kv_b_proj", latent, n, heads * (mla.nope_dim + mla.v_dim), mla.kv_rank, 0, g);
    const int q_rotated = add_rotary(builder, "rotary.q", q, n * heads * qk);
    const int k = add_rotary(builder, "rotary.k", kv, n * heads * qk);
    // v is a view of kv_b's output: a stack that runs modules keeps all of that output.
    const double rest = shape.training && builder.runs_modules() ? n * heads * mla.nope_dim * g : 0;
    const int v = builder.tensor("v", n * heads * mla.v_dim * g);
    builder.block().operators.back().outputs[1] = v;  // parted from k where that is rotated
    Core core;
    core.heads = heads;
    core.kv_heads = heads;
    core.qk_dim = qk;
    core.v_dim = mla.v_dim;
    core.cached = shape.training || shape.sequence > 1 ? heads * (qk + mla.v_dim)
                                                       : mla.kv_rank + mla.rope_dim;
    core.causal = stack.causal;
    const int context = add_core(builder, core, q_rotated, k, v, rest);
    return builder.linear(
        "o_proj", context, n, stack.hidden, heads * mla.v_dim, 0, shape.attention);
}

}  // namespace

int add_attention(BlockBuilder& builder, const TransformerStack& stack, int input, bool sliding) {
    if (stack.mla) {
        return add_latent_attention(builder, stack, input);
    }
    const PassShape& shape = builder.shape();
    const double g = shape.activation;
    const double n = shape.tokens;
    const double heads = static_cast<double>(stack.heads) / shape.tensor;
    const double kv_heads = local_kv_heads(stack, shape.tensor);
    const double q_width = heads * stack.head_dim;
    const double kv_width = kv_heads * stack.head_dim;
    const double hidden = stack.hidden;
    int q = builder.linear("q_proj", input, n, q_width, hidden, stack.qkv_bias ? q_width : 0, g);
    int k = builder.linear(
        "k_proj", input, n, kv_width, hidden, stack.qkv_bias && stack.key_bias ? kv_width : 0, g);
    int v = builder.linear("v_proj", input, n, kv_width, hidden, stack.qkv_bias ? kv_width : 0, g);
    q = add_query_key_norm(builder, "q_norm", stack.qk_norm, q, heads, stack.heads, stack.head_dim);
    k = add_query_key_norm(
        builder, "k_norm", stack.qk_norm, k, kv_heads, stack.kv_heads, stack.head_dim);
    if (stack.rope) {
        q = add_rotary(builder, "rotary.q", q, n * q_width);
        k = add_rotary(builder, "rotary.k", k, n * kv_width);
    }
    // The products of the eager kernel know no groups of heads.
    const bool repeats =
        (builder.software().kernels.attention.repeats_kv || !workload_flash(builder)) &&
        shape.training && heads > kv_heads;
    if (repeats) {
        k = add_repeat(builder, "repeat.k", k, n * q_width);
        v = add_repeat(builder, "repeat.v", v, n * q_width);
    }
    Core core;
    core.heads = heads;
    core.kv_heads = kv_heads;
    core.qk_dim = stack.head_dim;
    core.v_dim = stack.head_dim;
    core.cached = 2 * kv_width;
    core.causal = stack.causal;
    core.window = sliding ? stack.sliding_window : 0;
    core.sinks = stack.attention_sinks;
    core.softmax_fp32 = stack.softmax_fp32;
    core.bias = stack.relative_buckets > 0;
    core.softcap = stack.logit_softcap;
    const bool fused = builder.software().kernels.attention.fused_qkv ||
                       (stack.fused_qkv && builder.runs_modules());
    const bool view = fused && stack.rope && !repeats && shape.training;
    int context = add_core(builder, core, q, k, v, view ? n * (q_width + kv_width) * g : 0);
    const bool core_again =
        builder.workload().plan.recompute == RecomputeMode::selective &&
        builder.software().runtime.selective() == SelectiveRecompute::core_attention;
    if (core_again && shape.training && stack.rope) {
        // What runs again takes the values as a view of the joint product, which lives as long.
        builder.keep(builder.block().operators.back(),
                     builder.tensor("joint product", n * (q_width + kv_width) * g));
    }
    // The kernel of fp32 operands answers token by token already.
    if (shape.training && stack.rope && workload_flash(builder) && shape.attention < 4 &&
        (builder.software().kernels.attention.fused_qkv ||
         (stack.joins_rotary && builder.runs_modules()))) {
        context = add_copy(builder, "attention.contiguous", context, n * q_width);
    }
    return builder.linear(
        "o_proj", context, n, hidden, q_width, stack.out_bias ? hidden : 0, shape.attention);
}

int add_cross_attention(BlockBuilder& builder,
                        const TransformerStack& stack,
                        int input,
                        double keys) {
    const PassShape& shape = builder.shape();
    const double g = shape.activation;
    const double n = shape.tokens;
    const double source = shape.samples * keys;  // tokens of the encoder's output
    const double width = static_cast<double>(stack.heads) / shape.tensor * stack.head_dim;
    const double hidden = stack.hidden;
    const double bias = stack.qkv_bias ? width : 0;
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
        builder.linear("cross.k_proj", memory, source, width, hidden, stack.key_bias ? bias : 0, g);
    only_held();
    const int v = builder.linear("cross.v_proj", memory, source, width, hidden, bias, g);
    only_held();
    Core core;
    core.heads = static_cast<double>(stack.heads) / shape.tensor;
    core.kv_heads = core.heads;
    core.qk_dim = stack.head_dim;
    core.v_dim = stack.head_dim;
    core.cached = 2 * width;
    core.causal = false;
    core.softmax_fp32 = stack.softmax_fp32;
    core.keys = keys;
    for (std::size_t i = first; i < builder.block().operators.size(); ++i) {
        auto& kept = builder.block().operators[i].kept;
        std::replace(kept.begin(), kept.end(), memory, no_tensor);
    }
    const int context = add_core(builder, core, q, k, v);
    return builder.linear(
        "cross.o_proj", context, n, hidden, width, stack.out_bias ? hidden : 0, shape.attention);
}

}  // namespace ridgeline
