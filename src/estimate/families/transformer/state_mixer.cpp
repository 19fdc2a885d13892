// A state in place of attention: Mamba (arXiv 2312.00752), Mamba-2 (2405.21060), the gated delta
// rule (2412.06464) and lightning attention (2405.17381), by the kernels that their authors
// publish; and LFM2's short convolution between two gates, which has none.
//
// Training: one function from the input projection to the output projection for Mamba and Mamba-2
// (state-spaces/mamba, MambaInnerFn and MambaSplitConv1dScanCombinedFn), which keeps what the input
// projection made and what the scan made, and computes the rest again; kernels of their own that
// keep their operands for the others (fla-org/flash-linear-attention, chunk_gated_delta_rule).
#include "estimate/families/transformer/state_mixer.h"

#include "estimate/families/transformer/attention_core.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

/// Tokens of a block of the scan (selective_scan_fwd_kernel.cuh), whose last state it keeps.
constexpr double scan_block = 2048;
/// Each channel has a block of threads of its own, which reads B and C from the second-level cache
/// and adds their gradients there in fp32: at twice the rate of memory, by which steps of
/// Mamba 1.3B take what was measured on A100 and H100 PCIe (fla-org/flash-linear-attention #32:
/// 13,812 and 18,017 tokens/s at 16,384 tokens, beside those of a transformer of its size).
constexpr double cache_gain = 2;
/// Tokens of a chunk within which a recurrence is products (Mamba-2's 256, the delta rule's 64).
constexpr double grouped_chunk = 256;
constexpr double delta_chunk = 64;
/// Keys of a causal attention that takes as long as a chunked recurrence of any length (arXiv
/// 2405.21060, figure 10: from 2,048 tokens on its kernels are faster than FlashAttention-2).
constexpr double equal_keys = 2048;
/// Bytes of an element of a state that is served: fp32, as Nemotron's and Qwen3.5's configurations
/// ask of vLLM (mamba_ssm_cache_dtype) and as llama.cpp and Transformers hold it.
constexpr double state_element = 4;

/// Sizes on one rank.
struct Local {
    const StateMixer& mixer;
    double tokens;
    double inner;
    double convolved;
    double heads;
    double groups;
    double g;  ///< bytes of an element

    Local(const StateMixer& of, const PassShape& shape)
        : mixer(of),
          tokens(shape.tokens),
          inner(1.0 * of.inner / shape.tensor),
          convolved(1.0 * of.convolved() / shape.tensor),
          heads(1.0 * of.heads / shape.tensor),
          groups(1.0 * of.groups / shape.tensor),
          g(shape.activation) {}
    /// Jamba's norms stand between Mamba's products, so that it calls the kernels one by one.
    [[nodiscard]] bool one_function() const {
        return (mixer.rule == StateRule::selective && !mixer.step_norms) ||
               mixer.rule == StateRule::grouped;
    }
};

int add_input(BlockBuilder& builder, const Local& l, double hidden, int input) {
    const double tensor = builder.shape().tensor;
    const bool apart =
        l.mixer.rule == StateRule::delta;  // strengths and rates by a matrix of theirs
    const double head_rows = l.mixer.head_inputs * l.heads;
    const double rows = l.mixer.projected() / tensor - (apart ? head_rows : 0);
    const int made = builder.linear("in_proj", input, l.tokens, rows, hidden,
                                    l.mixer.projection_bias ? rows : 0, l.g);
    if (apart) {
        builder.linear("ba_proj", input, l.tokens, head_rows, hidden, 0, l.g);
    }
    return made;
}

int add_convolution(BlockBuilder& builder, const Local& l, int input) {
    if (l.mixer.taps <= 0) {
        return input;
    }
    const double bytes = l.tokens * l.convolved * l.g;
    const int output = builder.tensor("convolved", bytes);
    Operator& op = builder.elementwise("conv1d", Role::other, input, output, 2 * bytes);
    op.trains = builder.shape().base_trains;
    op.parameters = l.convolved * (l.mixer.taps + (l.mixer.convolution_bias ? 1 : 0));
    op.backward_traffic = 1.5 * op.forward_traffic;
    if (!l.one_function()) {
        builder.keep(op, builder.tensor("conv1d.input", bytes));  // by channels, not by tokens
    }
    return output;
}

/// Mamba: step sizes, B and C of a token from what was convolved. Returns the step sizes; the
/// product that holds all three is the tensor before.
int add_steps(BlockBuilder& builder, const Local& l, int convolved, int& joint) {
    const double rank = l.mixer.step_rank;
    const double shared = 2.0 * l.mixer.state;
    joint = builder.linear("x_proj", convolved, l.tokens, rank + shared, l.inner, 0, l.g);
    int steps = joint;
    if (l.mixer.step_norms) {
        steps = builder.norm("step_norms", joint, l.tokens, rank + shared, rank + shared, l.g);
    }
    return builder.linear("dt_proj", steps, l.tokens, l.inner, rank, l.inner, l.g);
}

/// Figures of the scan of a token that follows others, alone: its state is read and written.
void add_one_step(const Local& l, Operator& op) {
    const double state = l.inner * l.mixer.state * state_element;
    const double others = (4 * l.inner + 2 * l.convolved * l.mixer.taps) * l.g;
    op.forward_traffic = Bytes::of_base(l.tokens * (2 * state + others));
}

/// Mamba's scan. Backward it reads the same and its gradients, and computes forward again.
void add_selective_scan(const Local& l, Operator& op) {
    const double shared = 2.0 * l.mixer.state;
    const double once = l.tokens * l.inner;
    op.forward_traffic = Bytes::of_base(once * (5 * l.g + shared * l.g / cache_gain));
    op.backward_traffic = Bytes::of_base(once * (9 * l.g + shared * (l.g + 2 * 4) / cache_gain));
    // What was convolved, step sizes and gated output are computed again.
    op.workspace_backward = Bytes::of_base(3 * once * l.g);
}

void add_chunked_scan(const BlockBuilder& builder, const Local& l, Operator& op) {
    const double chunk = l.mixer.rule == StateRule::delta ? delta_chunk : grouped_chunk;
    const double tokens = l.tokens;
    op.operator_class = OperatorClass::attention_forward;
    op.forward = Flops::of_base(tokens * 4 * l.inner * equal_keys / 2);
    op.forward_traffic = Bytes::of_base(tokens * (l.convolved + 2 * l.inner) * l.g);
    if (builder.shape().training) {
        op.backward = 2.5 * op.forward;
        op.backward_traffic = 2.5 * op.forward_traffic;
    }
    // States between chunks in fp32, and products within them.
    const double between = tokens * l.inner * l.mixer.state / chunk * 4;
    const double within = tokens * chunk * std::max(1.0, l.groups) * 4;
    op.workspace_forward = Bytes::of_base(between + within);
    op.workspace_backward =
        Bytes::of_base(2 * between + 2 * within + 2 * tokens * l.convolved * l.g);
}

/// LFM2's gates: one times what is convolved, one times what was (Lfm2ShortConv of transformers).
void add_gates(const BlockBuilder& builder, const Local& l, Operator& op) {
    op.forward_traffic = Bytes::of_base(6 * l.tokens * l.inner * l.g);
    op.forward_kernels = 2;
    if (builder.shape().training) {
        op.backward_traffic = Bytes::of_base(10 * l.tokens * l.inner * l.g);
        op.backward_kernels = 4;
    }
}

/// Weights of the scan itself: rates, biases of step sizes, direct paths.
double scan_weights(const Local& l) {
    if (l.mixer.rule == StateRule::convolution) {
        return 0;
    }
    return l.mixer.heads > 0 ? l.mixer.head_weights * l.heads : l.inner * (l.mixer.state + 1.0);
}

void add_scan_figures(const BlockBuilder& builder, const Local& l, Operator& op) {
    const PassShape& shape = builder.shape();
    if (!shape.training && shape.sequence <= 1) {
        add_one_step(l, op);
    } else if (l.mixer.rule == StateRule::convolution) {
        add_gates(builder, l, op);
    } else if (l.mixer.rule == StateRule::selective) {
        add_selective_scan(l, op);
    } else {
        add_chunked_scan(builder, l, op);
    }
}

/// Operands of a scan in the order of the layer; no_tensor where the rule has none.
struct Operands {
    int projected = no_tensor;
    int convolved = no_tensor;
    int joint = no_tensor;  ///< Mamba's step sizes before their projection, B and C
    int steps = no_tensor;
};

/// What Mamba's scans keep, of which one function computes again what was convolved and step sizes.
void keep_selective(BlockBuilder& builder, const Local& l, Operator& op, const Operands& of) {
    const PassShape& shape = builder.shape();
    builder.keep(op, of.projected);
    builder.keep(op, of.joint);
    builder.keep(op, builder.tensor("scan", l.tokens * l.inner * l.g));  // before the gate
    if (l.mixer.rule == StateRule::grouped) {
        builder.keep(op, builder.tensor("norm.statistic", l.tokens * l.groups * 4));
        return;
    }
    const double shared = 2.0 * l.mixer.state;
    const double blocks = shape.samples * std::ceil(shape.sequence / scan_block);
    builder.keep(op, builder.tensor("scan.shared", l.tokens * shared * l.g));
    builder.keep(op, builder.tensor("scan.states", blocks * l.inner * shared * 4));
    if (!l.one_function()) {
        builder.keep(op, of.convolved);
        builder.keep(op, of.steps);
    }
}

/// What chunked kernels keep: keys and queries repeated to the heads of the values, rates and
/// strengths in fp32, the products within chunks.
void keep_chunked(BlockBuilder& builder, const Local& l, Operator& op) {
    const double each = l.tokens * l.heads * l.mixer.state * l.g;
    builder.keep(op, builder.tensor("scan.q", each));
    builder.keep(op, builder.tensor("scan.k", each));
    builder.keep(op, builder.tensor("scan.v", l.tokens * l.inner * l.g));
    builder.keep(op, builder.tensor("scan.rates", l.tokens * l.heads * 4 * 4));
    if (l.mixer.rule == StateRule::delta) {
        builder.keep(op, builder.tensor("scan.chunks", l.tokens * l.heads * delta_chunk * l.g));
    }
}

void keep_of_scan(BlockBuilder& builder, const Local& l, Operator& op, const Operands& of) {
    if (l.mixer.rule == StateRule::convolution) {
        builder.keep(op, of.projected);
        builder.keep(op, of.convolved);
    } else if (l.mixer.rule == StateRule::selective || l.mixer.rule == StateRule::grouped) {
        keep_selective(builder, l, op, of);
    } else {
        keep_chunked(builder, l, op);
    }
}

/// Weights of the norm on this rank: of all channels, or of a head's for each.
double norm_of(const Local& l, const PassShape& shape) {
    const bool of_head = l.mixer.norm < l.mixer.inner;
    return of_head ? l.mixer.norm : 1.0 * l.mixer.norm / shape.tensor;
}

/// The norm of what the scan made, times the gate. Returns its product. Mamba-2's runs within its
/// one function in training.
int add_gate(BlockBuilder& builder, const Local& l, int scanned, int projected) {
    if (l.mixer.norm <= 0) {
        return scanned;
    }
    const bool within = l.one_function() && builder.shape().training;
    const double bytes = l.tokens * l.inner * l.g;
    const int output = builder.tensor("gated", bytes);
    Operator& op = builder.elementwise("gated_norm", Role::norm, scanned, output, 3 * bytes);
    op.backward_traffic = Bytes::of_base(builder.shape().training ? 5 * bytes : 0);
    op.trains = builder.shape().base_trains;
    op.parameters = norm_of(l, builder.shape());
    if (!within) {
        builder.keep(op, scanned);
        builder.keep(op, projected);
        builder.keep(op, builder.tensor("norm.statistic", l.tokens * std::max(1.0, l.heads) * 4));
    }
    return output;
}

/// The fused function computes again what its later products read.
void forget_inputs(Block& block, std::size_t first, std::initializer_list<int> again) {
    for (std::size_t i = first; i < block.operators.size(); ++i) {
        for (int& kept : block.operators[i].kept) {
            kept = std::ranges::find(again, kept) != again.end() ? no_tensor : kept;
        }
    }
}

}  // namespace

int add_state_mixer(BlockBuilder& builder, const StateMixer& mixer, double hidden, int input) {
    const PassShape& shape = builder.shape();
    const Local l(mixer, shape);
    Operands of;
    of.projected = add_input(builder, l, hidden, input);
    const std::size_t first = builder.block().operators.size();
    of.convolved = add_convolution(builder, l, of.projected);
    if (mixer.step_rank > 0) {
        of.steps = add_steps(builder, l, of.convolved, of.joint);
    }
    const int scanned = builder.tensor("scanned", l.tokens * l.inner * l.g);
    Operator& op = builder.elementwise("scan", Role::scan, of.convolved, scanned, 0);
    op.inputs = {of.convolved, of.steps, of.projected, no_tensor};
    op.trains = shape.base_trains;
    op.parameters = scan_weights(l);
    add_scan_figures(builder, l, op);
    keep_of_scan(builder, l, op, of);
    const int gated = add_gate(builder, l, scanned, of.projected);
    const int output = builder.linear("state.out_proj", gated, l.tokens, hidden, l.inner,
                                      mixer.projection_bias ? hidden : 0, l.g);
    if (l.one_function()) {
        forget_inputs(builder.block(), first, {of.convolved, of.steps, scanned, gated});
    }
    return output;
}

int add_attention_gate(BlockBuilder& builder, int context, int gate, double elements) {
    const double bytes = elements * builder.shape().attention;
    const int output = builder.tensor("attention.gated", bytes);
    Operator& op =
        builder.elementwise("attention.gate", Role::activation, context, output, 3 * bytes);
    builder.keep(op, context);
    builder.keep(op, gate);
    return output;
}

void add_state_names(std::vector<std::string>& names, const StateMixer& mixer) {
    names.emplace_back("in_proj");
    if (mixer.rule == StateRule::delta) {
        names.emplace_back("ba_proj");
    }
    if (mixer.rule == StateRule::delta || mixer.rule == StateRule::decay ||
        mixer.rule == StateRule::convolution) {
        names.emplace_back("out_proj");
    }
}

}  // namespace ridgeline
