// Scores, softmax and values of attention.
//
// FLOPs count a causal mask as half of the full square and a sliding window as its band (contract:
// time model). What is kept depends on the kernel: flash keeps q, k, v, the output and one fp32
// log-sum-exp a row; the eager kernel materialises scores in the compute type and the softmax in
// fp32 (Hugging Face eager_attention_forward).
#include "estimate/families/transformer/attention_core.h"

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

/// The 16-bit copy that autocast makes of an operand.
int add_cast(BlockBuilder& builder, std::string_view name, int input) {
    const PassShape& shape = builder.shape();
    const double bytes = builder.size_of(input).base() * shape.attention / shape.activation;
    const int output = builder.tensor(name, bytes);
    builder.elementwise(name, Role::other, input, output, bytes + builder.size_of(input).base());
    return output;
}

/// Scores of all heads, without regard to the mask.
double square_of(const PassShape& shape, const AttentionCore& core) {
    return shape.samples * shape.sequence * shape.keys * core.heads;
}

/// Bytes of an element of the softmax. Autocast runs one that states no type in fp32; the one
/// behind attention sinks states the type of its scores, which sinks in fp32 make fp32.
double softmax_bytes(const BlockBuilder& builder, const AttentionCore& core) {
    const PassShape& shape = builder.shape();
    const bool wide = core.sinks ? shape.casts_weights : shape.autocast;
    return core.softmax_fp32 || wide ? 4 : shape.attention;
}

/// Bytes that are moved of one score, forward and back.
struct ScoreTraffic {
    double forward;
    double backward;
};

/// Scores are written by one product and read by another. Between them an eager stack scales them,
/// masks them, makes their softmax, in fp32 by way of a copy, and casts it back, each a kernel that
/// reads and writes all; a compiler makes one kernel of it. Stacks with a softmax of their own join
/// the scale and the mask to it (Megatron-LM fused_softmax).
ScoreTraffic score_traffic(const BlockBuilder& builder, const AttentionCore& core) {
    const double g = builder.shape().attention;
    const double capped = core.softcap > 0 ? 4 * g : 0;
    const SoftwareProfile& software = builder.software();
    if (software.kernels.norm == NormKernel::fused ||
        software.runtime.kind == RuntimeKind::engine) {
        return {8 * g + capped, 8 * g + capped};
    }
    if (builder.workload().compiled) {
        return {4 * g, 7 * g};
    }
    const double wide = softmax_bytes(builder, core);
    if (wide <= g) {
        return {8 * g + capped, 11 * g + capped};
    }
    const double casts =
        core.softmax_fp32 ? 0 : 2 * wide;  // a softmax that states its type casts itself
    return {8 * g + 2 * wide + casts + capped, 10 * g + 5 * wide + capped};
}

/// Figures of eager attention: the whole square is computed and stored, the mask only sets it to
/// minus infinity.
void add_scores(const BlockBuilder& builder, const AttentionCore& core, Operator& op,
                double square) {
    const PassShape& shape = builder.shape();
    const double g = shape.attention;
    const double wide = softmax_bytes(builder, core);
    op.forward = Flops::of_base(2 * square * (core.qk_dim + core.v_dim));
    op.backward = shape.training ? 2.0 * op.forward : Flops{};
    op.forward_kernels = 6;
    op.backward_kernels = 8;
    const ScoreTraffic moved = score_traffic(builder, core);
    op.forward_traffic = op.forward_traffic + Bytes::of_base(square * moved.forward);
    op.backward_traffic = op.backward_traffic + Bytes::of_base(square * moved.backward);
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

/// DeBERTa: each query meets each relative position and so does each key; what was met is gathered
/// to pairs and added to the scores (arXiv 2006.03654, eq. 4; transformers modeling_deberta_v2,
/// disentangled_attention_bias). Backward scatters into zeros what was gathered.
void add_met_positions(const BlockBuilder& builder, const AttentionCore& core, Operator& op,
                       double square) {
    const PassShape& shape = builder.shape();
    const double g = shape.attention;
    const double met =
        shape.samples * core.heads * (shape.sequence + shape.keys) * core.relative_rows;
    const Flops products = Flops::of_base(2 * met * core.qk_dim);
    op.forward += products;
    op.backward += shape.training ? 2.0 * products : Flops{};
    constexpr double gathers = 2;
    op.forward_traffic = op.forward_traffic + Bytes::of_base(g * (2 * met + 8 * square));
    op.backward_traffic = op.backward_traffic + Bytes::of_base(g * (4 * met + 4 * square));
    op.forward_kernels += 6 * gathers;
    op.backward_kernels += 6 * gathers;
    const double beside = g * (square + met / gathers);
    op.workspace_forward = op.workspace_forward + Bytes::of_base(beside);
    op.workspace_backward = op.workspace_backward + Bytes::of_base(beside);
}

/// What eager attention keeps of its scores.
void keep_scores(BlockBuilder& builder, const AttentionCore& core, Operator& op, double square) {
    const double g = builder.shape().attention;
    const double wide = softmax_bytes(builder, core);
    const bool joined = builder.workload().compiled && g < 4;  // the softmax stays in registers
    if (!joined && (wide > g || g >= 4)) {
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

}  // namespace

int add_attention_core(BlockBuilder& builder, const AttentionCore& core, int q, int k, int v,
                       double rest) {
    PassShape shape = builder.shape();
    shape.keys = core.keys > 0 ? core.keys : shape.keys;
    const double g = shape.attention;
    const double pairs = shape.samples * score_pairs(shape, core.causal, core.window) * core.heads;
    const int output = builder.tensor("attention", shape.tokens * core.heads * core.v_dim * g);
    const AttentionKernel kernel =
        core.relative_rows > 0 ? AttentionKernel::eager : builder.workload().attention;

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
        if (core.relative_rows > 0) {
            add_met_positions(builder, core, op, square_of(shape, core));
        }
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
        add_gathered_ring(op, shape.context, q_bytes,
                          (builder.size_of(k) + builder.size_of(v)).base());
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

}  // namespace ridgeline
