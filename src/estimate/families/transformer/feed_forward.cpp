// Feed-forward part of a layer: dense (gated or plain) and mixture of experts.
//
// The gated activation act(gate) * up keeps gate, act(gate) and up in an eager stack, its two
// inputs when compiled or fused; the down projection keeps the product when it trains.
#include "estimate/families/transformer/block_builder.h"

#include <algorithm>

namespace ridgeline {
namespace {

bool eager_activation(const BlockBuilder& builder) {
    return !builder.workload().compiled &&
           builder.software().kernels.activation != ActivationKernel::fused;
}

/// Bytes of what experts compute in: under autocast their grouped products keep the type of the
/// weights, which is none that torch casts.
double expert_bytes(const BlockBuilder& builder) {
    const PassShape& shape = builder.shape();
    return shape.casts_weights && builder.runs_modules() ? shape.norm_output : shape.activation;
}

/// product = act(gate) * up over `elements` elements; `up` is no_tensor for a plain activation.
int add_activation(
    BlockBuilder& builder, std::string_view kind, int gate, int up, double elements) {
    const double g = builder.size_of(gate).base() / elements;
    const bool gated = up != no_tensor;
    const bool eager = eager_activation(builder);
    const bool written_out = eager && kind == "gelu_new" &&
                             builder.software().kernels.activation == ActivationKernel::modules;
    const bool autocast = builder.shape().autocast;
    // Autocast takes the power of an fp32 copy, so that what follows is fp32.
    const double wide = written_out && autocast ? 4 : g;
    const double product_bytes = gated ? wide : g;
    const int product = builder.tensor("activation", elements * product_bytes);
    Operator op;
    op.name = "activation";
    op.role = Role::activation;
    op.trains = false;
    op.forward = Flops::of_base(elements * (gated ? 6 : 5));
    op.backward = builder.shape().training ? 2.0 * op.forward : Flops{};
    const double passes = gated ? (eager ? 5 : 3) : 2;
    op.forward_traffic = Bytes::of_base(passes * elements * g);
    op.backward_traffic = Bytes::of_base((gated ? (eager ? 9 : 5) : 3) * elements * g);
    op.forward_kernels = eager && gated ? 2 : 1;
    op.backward_kernels = eager && gated ? 3 : 1;
    op.inputs = {gate, up, no_tensor, no_tensor};
    op.outputs[0] = product;
    Operator& added = builder.add(op);
    if (kind == "relu" && !gated && eager) {
        builder.keep(added, product);  // its gradient needs only where the result is positive
    } else if (!(written_out && autocast)) {
        builder.keep(added, gate);
    }
    builder.keep(added, up);
    if (gated && eager) {
        builder.keep(added, builder.tensor("activation.gate", elements * product_bytes));
    }
    if (written_out) {
        // 0.5 x (1 + tanh(c (x + 0.044715 x^3))): x / 2, tanh and 1 + tanh.
        builder.keep(added, builder.tensor("activation.half", elements * g));
        builder.keep(added, builder.tensor("activation.tanh", elements * 2 * wide));
        if (autocast) {
            builder.keep(added, builder.tensor("activation.fp32_copy", elements * 4));
        }
    }
    return product;
}

/// One grouped product over the local experts; `columns` x `rows` is one expert's weight here.
int add_expert_linear(BlockBuilder& builder,
                      std::string_view name,
                      int input,
                      double tokens,
                      double experts,
                      double rows,
                      double columns,
                      double bias) {
    const PassShape& shape = builder.shape();
    const double g = expert_bytes(builder);
    const int output = builder.tensor(name, tokens * rows * g);
    Operator op;
    op.name = name;
    op.role = Role::expert_linear;
    op.operator_class = OperatorClass::grouped_gemm;
    op.gemm = {tokens / experts, rows, columns, experts};
    op.forward = op.gemm.flops();
    op.trains = shape.base_trains;
    if (shape.training) {
        op.backward = (op.trains ? 2.0 : 1.0) * op.forward;
    }
    const double in_bytes = tokens * columns * g;
    const double out_bytes = tokens * rows * g;
    op.forward_traffic = Bytes::of_base(in_bytes + out_bytes);
    op.backward_traffic = (op.trains ? 2.0 : 1.0) * op.forward_traffic;
    op.backward_kernels = op.trains ? 2 : 1;
    op.parameters = experts * (rows * columns + bias);
    op.rows = rows;
    op.columns = columns;
    op.matrices = experts;
    op.expert = true;
    op.quantized = builder.workload().quantization.any();
    op.inputs[0] = input;
    op.outputs[0] = output;
    Operator& added = builder.add(op);
    if (op.trains) {
        builder.keep(added, input);
    }
    // Experts that are modules of their own have an adapter each.
    if (builder.targeted(name.substr(std::string_view("experts.").size()))) {
        builder.add_adapter(name, input, output, tokens, rows, columns);
        Operator& adapters = builder.block().operators.back();
        adapters.parameters *= experts;
        adapters.matrices = experts;
        adapters.operator_class = OperatorClass::grouped_gemm;
    }
    return output;
}

int add_router(BlockBuilder& builder, const TransformerStack& stack, int input, double tokens) {
    const PassShape& shape = builder.shape();
    const MixtureOfExperts& moe = *stack.moe;
    const int logits = builder.tensor("router", tokens * moe.experts * 4);
    Operator op;
    op.name = "router";
    op.role = Role::router;
    op.operator_class = OperatorClass::gemm;
    op.gemm = {tokens, static_cast<double>(moe.experts), static_cast<double>(stack.hidden), 1};
    op.forward = op.gemm.flops();
    op.trains = shape.base_trains;
    op.backward = shape.training ? 2.0 * op.forward : Flops{};
    op.forward_traffic =
        Bytes::of_base(tokens * (stack.hidden * shape.activation + moe.experts * 4.0 * 3));
    op.backward_traffic = 2.0 * op.forward_traffic;
    op.forward_kernels = 6;  // product, softmax, top-k, normalisation, counts
    op.backward_kernels = 5;
    op.parameters = static_cast<double>(moe.experts) * stack.hidden +
                    (moe.router_bias ? moe.experts : 0) +
                    (moe.router_correction_bias ? moe.experts : 0);
    op.inputs[0] = input;
    op.outputs[0] = logits;
    Operator& added = builder.add(op);
    if (op.trains && shape.casts_weights) {
        builder.keep(added,
                     builder.tensor("autocast.input", tokens * stack.hidden * shape.compute));
    } else if (op.trains && moe.router_fp32 && builder.runs_modules()) {
        builder.keep(added, builder.tensor("router.input_fp32", tokens * stack.hidden * 4));
    } else if (op.trains) {
        builder.keep(added, input);
    }
    builder.keep(added, builder.tensor("router.probabilities", tokens * moe.experts * 4));
    return logits;
}

/// Copies of the tokens on their way to the experts: bytes of one as sent and as experts read it.
struct RoutedCopies {
    double sent = 0;
    double read = 0;
    double shared = 0;  ///< what the shared expert made and keeps, which runs before them
    bool exchanges = false;
    bool gathers = false;
    bool sorts = false;
};

/// Megatron-Core's layer holds each copy of the tokens in a variable until it returns
/// (moe_layer.py, custom_forward): as permuted, as received, as gathered, beside the sorted one
/// that the experts keep; then what they make as unsorted, beside what comes back.
void hold_copies(BlockBuilder& builder, std::size_t first, const RoutedCopies& copies) {
    double held = copies.sent + (copies.exchanges ? copies.sent : 0) +
                  (copies.gathers ? copies.read : 0) + (copies.sorts ? copies.read : 0) -
                  copies.read;
    std::vector<Operator>& operators = builder.block().operators;
    for (std::size_t i = first; i < operators.size(); ++i) {
        Operator& op = operators[i];
        const bool last = i + 1 == operators.size();
        const double back = last && copies.exchanges ? copies.sent : 0;
        op.workspace_forward = op.workspace_forward + Bytes::of_base(held + back + copies.shared);
    }
    // Backward each step of the way has its gradient beside the one that it came from.
    const bool steps = copies.exchanges || copies.sorts;
    operators[first].workspace_backward = Bytes::of_base(steps ? copies.read : 0);
    operators.back().workspace_backward = Bytes::of_base(steps ? copies.read : 0);
}

}  // namespace

int add_feed_forward(BlockBuilder& builder,
                     const TransformerStack& stack,
                     int input,
                     double width) {
    const PassShape& shape = builder.shape();
    const double g = shape.activation;
    const double n = shape.tokens;
    const double local = width / shape.tensor;
    const double hidden = stack.hidden;
    const double bias = stack.mlp_bias ? local : 0;
    int gate = no_tensor;
    if (stack.gated) {
        gate = builder.linear("gate_proj", input, n, local, hidden, bias, g);
    }
    const int up = builder.linear("up_proj", input, n, local, hidden, bias, g);
    int product = stack.gated ? add_activation(builder, stack.activation, gate, up, n * local)
                              : add_activation(builder, stack.activation, up, no_tensor, n * local);
    if (stack.norm_keeps_input && shape.casts_weights) {
        // T5 hands the last product an operand in the type of its weight, which autocast casts
        // anew.
        const int wide = builder.tensor("activation.fp32", n * local * 4);
        builder.elementwise("activation.float", Role::other, product, wide, n * local * (g + 4));
        product = wide;
    }
    return builder.linear("down_proj", product, n, hidden, local, stack.mlp_bias ? hidden : 0, g);
}

int add_experts(BlockBuilder& builder, const TransformerStack& stack, int input) {
    const PassShape& shape = builder.shape();
    const MixtureOfExperts& moe = *stack.moe;
    const double g = expert_bytes(builder);
    const double hidden = stack.hidden;
    // With expert parallelism the experts are whole and the tokens of the sequence-parallel shard
    // are exchanged; without it tensor parallelism splits each expert's width.
    const bool exchanged = shape.expert > 1;
    const SoftwareProfile& software = builder.software();
    const double tokens = exchanged ? shape.residual_tokens : shape.tokens;
    const bool inside =
        shape.training && software.runtime.routing_weights() == RoutingWeights::in_activation;
    const double split = exchanged ? 1 : shape.tensor;
    const double experts = static_cast<double>(moe.experts) / shape.expert;
    const double width = moe.ffn / split;
    const double routed = tokens * moe.experts_per_token;

    // Copies arrive by the rank that sent them and are sorted by expert (and back before they
    // return), one more pass over them each way (Megatron-LM token_dispatcher.py,
    // sort_chunks_by_idxs; torchtitan permutes after its exchange too).
    const bool sorts = exchanged && experts > 1 && shape.training;
    const double sorting = sorts ? 2 * routed * hidden * g : 0;

    // Megatron-Core routes the tokens of its shard before it gathers what experts split by tensor
    // parallelism read.
    const double sent = software.runtime.regathers_sequence() ? shape.residual_tokens : tokens;
    add_router(builder, stack, input, sent);
    const double padding = software.runtime.options.expert_rows_multiple;
    const double rows = routed + (padding > 1 && shape.training ? experts * padding : 0);
    const int permuted = builder.tensor("moe.permuted", rows * hidden * g);
    const std::size_t dispatch_at = builder.block().operators.size();
    Operator& dispatch = builder.elementwise(
        "moe.dispatch", Role::dispatch, input, permuted, 2 * routed * hidden * g + sorting);
    dispatch.forward_kernels = sorts ? 4 : 3;
    dispatch.backward_kernels = sorts ? 3 : 2;
    // Fused permutation: two places a token and expert in 32 bits; the map in 8 bits, the weights
    // spread over all experts (in 32 bits where a router with a correction bias computes so), the
    // chosen ones in 64.
    const double spread = moe.router_correction_bias ? 4 : g;
    const double map = sent * (moe.experts * (4 * 2 + 1 + spread) + 4 + moe.experts_per_token * 8);
    builder.keep(dispatch, builder.tensor("moe.indices", inside ? map : routed * 8));

    int product = no_tensor;
    const double bias = moe.expert_bias ? width : 0;
    int gate = no_tensor;
    if (stack.gated) {
        gate = add_expert_linear(
            builder, "experts.gate_proj", permuted, rows, experts, width, hidden, bias);
    }
    const int up =
        add_expert_linear(builder, "experts.up_proj", permuted, rows, experts, width, hidden, bias);
    if (builder.targeted("experts.gate_up_proj")) {
        const double halves = (stack.gated ? 2 : 1) * width;
        builder.add_parameter_adapter(permuted, routed, experts, halves, hidden);
    }
    product = stack.gated ? add_activation(builder, stack.activation, gate, up, rows * width)
                          : add_activation(builder, stack.activation, up, no_tensor, rows * width);
    if (moe.expert_bias && stack.gated && shape.training) {
        // Experts with biases (gpt-oss) clamp both halves: bias and clamp of gate and up (8
        // passes), sigmoid (4), its product (3), up + 1 (2), the gated product (3) and the routing
        // weights (3), which no kernel of the libraries fuses.
        Operator& activation = builder.block().operators.back();
        activation.forward_traffic = Bytes::of_base(23 * routed * width * g);
        activation.backward_traffic = Bytes::of_base(38 * routed * width * g);
        activation.forward_kernels = 10;
        activation.backward_kernels = 14;
        if (builder.runs_modules()) {
            // Beside the sigmoid: the clamped gate, its product with the sigmoid, up + 1.
            builder.keep(activation, builder.tensor("activation.clamped", 3 * routed * width * g));
        }
    }
    const int down = add_expert_linear(builder,
                                       "experts.down_proj",
                                       product,
                                       rows,
                                       experts,
                                       hidden,
                                       width,
                                       moe.expert_bias ? hidden : 0);
    if (builder.targeted("experts.down_proj")) {
        builder.add_parameter_adapter(product, routed, experts, hidden, width);
    }
    const int combined = builder.tensor("moe.combined", tokens * hidden * g);
    Operator& combine = builder.elementwise("moe.combine",
                                            Role::dispatch,
                                            down,
                                            combined,
                                            (2 * routed + tokens) * hidden * g + sorting);
    combine.forward_kernels = sorts ? 4 : 3;
    combine.backward_kernels = sorts ? 5 : 4;
    if (inside) {
        builder.keep(combine, builder.tensor("moe.weights", routed * g));
    } else {
        const bool copies = shape.training && software.runtime.routing_upcasts();
        if (copies) {
            // An fp32 copy times the weights, in 16 bits again; backward the gradient in fp32 and
            // its products with the copy and with the weights.
            combine.workspace_forward = Bytes::of_base(routed * hidden * (4 + g));
            combine.workspace_backward = Bytes::of_base(routed * hidden * (3 * 4 - g));
        }
        builder.keep(combine, copies ? builder.tensor("moe.fp32_copy", routed * hidden * 4) : down);
        builder.keep(combine, builder.tensor("moe.weights", routed * 4));
    }

    // Gate, up and their product, which the list has after the routed experts.
    const double shared_kept = 3 * shape.tokens * moe.shared_ffn / shape.tensor * shape.activation;
    if (inside) {
        hold_copies(builder,
                    dispatch_at,
                    {.sent = sent * moe.experts_per_token * hidden * g,
                     .read = routed * hidden * g,
                     .shared = moe.shared_ffn > 0 ? sent * hidden * g + shared_kept : 0,
                     .exchanges = exchanged,
                     .gathers = sent<tokens, .sorts = experts> 1});
    }
    if (exchanged && shape.training && software.runtime.options.saves_exchanges) {
        builder.tensor("moe.exchanged", 2 * routed * hidden * g);  // there and back
    }
    if (exchanged) {
        builder.block().expert_message = Bytes::of_base(routed * hidden * g);
        builder.block().expert_messages = 2;
    }
    if (moe.shared_ffn <= 0) {
        return combined;
    }
    const double shared = static_cast<double>(moe.shared_ffn) / shape.tensor;
    int shared_gate = no_tensor;
    if (stack.gated) {
        shared_gate = builder.linear(
            "shared.gate_proj", input, shape.tokens, shared, hidden, 0, shape.activation);
    }
    const int shared_up =
        builder.linear("shared.up_proj", input, shape.tokens, shared, hidden, 0, shape.activation);
    const int shared_product =
        stack.gated ? add_activation(
                          builder, stack.activation, shared_gate, shared_up, shape.tokens * shared)
                    : add_activation(
                          builder, stack.activation, shared_up, no_tensor, shape.tokens * shared);
    int shared_down = builder.linear(
        "shared.down_proj", shared_product, shape.tokens, hidden, shared, 0, shape.activation);
    if (moe.shared_gate) {
        builder.linear("shared.gate", input, shape.tokens, 1, hidden, 0, shape.activation);
    }
    return builder.residual_add("moe.sum", combined, shared_down, tokens * hidden * g);
}

}  // namespace ridgeline
