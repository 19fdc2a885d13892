// A mixture of experts in a layer: router, copies of tokens sorted to their experts, the experts'
// products, and the sum of what they made.
#include "estimate/families/transformer/routed_experts.h"

namespace ridgeline {
namespace {

/// Bytes of what experts compute in: under autocast their grouped products keep the type of the
/// weights, which is none that torch casts.
double expert_bytes(const BlockBuilder& builder) {
    const PassShape& shape = builder.shape();
    return shape.casts_weights && builder.runs_modules() ? shape.norm_output : shape.activation;
}

/// One grouped product over the local experts; `columns` x `rows` is one expert's weight here.
int add_expert_linear(BlockBuilder& builder, std::string_view name, int input, double tokens,
                      double experts, double rows, double columns, double bias) {
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
    if (builder.targeted(name.substr(std::string_view("experts").size()))) {
        builder.add_adapter(name, input, output, tokens, rows, columns);
        Operator& adapters = builder.block().operators.back();
        adapters.parameters *= experts;
        adapters.matrices = experts;
        adapters.operator_class = OperatorClass::grouped_gemm;
    }
    return output;
}

int add_router(BlockBuilder& builder, const TransformerStack& tower, int input, double tokens) {
    const PassShape& shape = builder.shape();
    const MixtureOfExperts& moe = *tower.moe;
    const int logits = builder.tensor("router", tokens * moe.experts * 4);
    Operator op;
    op.name = "router";
    op.role = Role::router;
    op.operator_class = OperatorClass::gemm;
    op.gemm = {tokens, static_cast<double>(moe.experts), static_cast<double>(tower.hidden), 1};
    op.forward = op.gemm.flops();
    op.trains = shape.base_trains;
    op.backward = shape.training ? 2.0 * op.forward : Flops{};
    op.forward_traffic =
        Bytes::of_base(tokens * (tower.hidden * shape.activation + moe.experts * 4.0 * 3));
    op.backward_traffic = 2.0 * op.forward_traffic;
    op.forward_kernels = 6;  // product, softmax, top-k, normalisation, counts
    op.backward_kernels = 5;
    op.parameters = static_cast<double>(moe.experts) * tower.hidden +
                    (moe.router_bias ? moe.experts : 0) +
                    (moe.router_correction_bias ? moe.experts : 0);
    op.inputs[0] = input;
    op.outputs[0] = logits;
    Operator& added = builder.add(op);
    if (op.trains && shape.casts_weights) {
        builder.keep(added, builder.tensor(cast_input, tokens * tower.hidden * shape.compute));
    } else if (op.trains && moe.router_fp32 && builder.runs_modules()) {
        builder.keep(added, builder.tensor("router.input_fp32", tokens * tower.hidden * 4));
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

RoutedExperts routed_experts(const BlockBuilder& builder, const TransformerStack& tower) {
    const PassShape& shape = builder.shape();
    const MixtureOfExperts& moe = *tower.moe;
    const RuntimeProfile& runtime = builder.software().runtime;
    RoutedExperts of{};
    of.element = expert_bytes(builder);
    of.hidden = tower.hidden;
    // With expert parallelism the tokens of the sequence-parallel shard are exchanged; without it
    // tensor parallelism splits each expert's width.
    of.exchanged = shape.expert > 1;
    of.tokens = of.exchanged ? shape.residual_tokens : shape.tokens;
    of.inside = shape.training && runtime.routing_weights() == RoutingWeights::in_activation;
    of.experts = static_cast<double>(moe.experts) / shape.expert;
    of.width = moe.ffn / ranks_of_an_expert(shape);
    const bool every = multiplies_every_expert(builder, moe);
    of.routed = of.tokens * (every ? of.experts : moe.experts_per_token / ranks_of_a_token(shape));
    // Copies arrive by the rank that sent them and are sorted by expert (and back before they
    // return), one more pass over them each way (Megatron-LM token_dispatcher.py,
    // sort_chunks_by_idxs; torchtitan permutes after its exchange too).
    const bool sorts = of.exchanged && of.experts > 1 && shape.training;
    of.sorting = sorts ? 2 * of.copies() : 0;
    // Megatron-Core routes the tokens of its shard before it gathers what experts split by tensor
    // parallelism read.
    of.sent = runtime.regathers_sequence() ? shape.residual_tokens : of.tokens;
    const double padding = runtime.options.expert_rows_multiple;
    of.rows = of.routed + (padding > 1 && shape.training ? of.experts * padding : 0);
    return of;
}

/// Sorts the copies of tokens by expert; returns the tensor that the experts read.
int add_dispatch(BlockBuilder& builder, const MixtureOfExperts& moe, const RoutedExperts& of,
                 int input) {
    const int permuted = builder.tensor("moe.permuted", of.rows * of.hidden * of.element);
    Operator& dispatch = builder.elementwise("moe.dispatch", Role::dispatch, input, permuted,
                                             2 * of.copies() + of.sorting);
    dispatch.forward_kernels = of.sorts() ? 4 : 3;
    dispatch.backward_kernels = of.sorts() ? 3 : 2;
    // Fused permutation: two places a token and expert in 32 bits; the map in 8 bits, the weights
    // spread over all experts (in 32 bits where a router with a correction bias computes so), the
    // chosen ones in 64.
    const double spread = moe.router_correction_bias ? 4 : of.element;
    const double map =
        of.sent * (moe.experts * (4 * 2 + 1 + spread) + 4 + moe.experts_per_token * 8);
    builder.keep(dispatch, builder.tensor("moe.indices", of.inside ? map : of.routed * 8));
    return permuted;
}

/// Experts with biases (gpt-oss) clamp both halves: bias and clamp of gate and up (8 passes),
/// sigmoid (4), its product (3), up + 1 (2), the gated product (3) and the routing weights (3),
/// which no kernel of the libraries fuses.
void clamp_activation(BlockBuilder& builder, const RoutedExperts& of) {
    const double pass = of.routed * of.width * of.element;
    Operator& activation = builder.block().operators.back();
    activation.forward_traffic = Bytes::of_base(23 * pass);
    activation.backward_traffic = Bytes::of_base(38 * pass);
    activation.forward_kernels = 10;
    activation.backward_kernels = 14;
    if (builder.runs_modules()) {
        // Beside the sigmoid: the clamped gate, its product with the sigmoid, up + 1.
        builder.keep(activation, builder.tensor("activation.clamped", 3 * pass));
    }
}

/// Transformers before 5 runs experts with biases, slices of one parameter, one after another: the
/// gradient of each slice is as large as the parameter and zero elsewhere (torch, select_backward)
/// until it is added to the others'. Gate and up are one parameter.
void widen_slices(BlockBuilder& builder, std::size_t first) {
    std::vector<Operator>& operators = builder.block().operators;
    for (std::size_t i = first; i < operators.size(); ++i) {
        Operator& op = operators[i];
        if (op.role == Role::expert_linear && op.trains) {
            const double joined = op.name == "experts.down_proj" ? 1 : 2;
            // Each of them is written, and read, read and written where it is added.
            constexpr double passes = 4;
            op.backward_traffic =
                op.backward_traffic +
                Bytes::of_base(passes * op.matrices * op.parameters * builder.shape().compute);
            op.workspace_backward = op.workspace_backward + Bytes::of_base(joined * op.parameters *
                                                                           builder.shape().compute);
        }
    }
}

/// The products of the experts; returns their output, a row a copy.
int add_expert_products(BlockBuilder& builder, const TransformerStack& tower,
                        const RoutedExperts& of, int permuted) {
    const MixtureOfExperts& moe = *tower.moe;
    const double bias = moe.expert_bias ? of.width : 0;
    const std::size_t first = builder.block().operators.size();
    const auto product = [&](const char* name, int input, double out, double in, double added) {
        return add_expert_linear(builder, name, input, of.rows, of.experts, out, in, added);
    };
    const int gate =
        tower.gated ? product("experts.gate_proj", permuted, of.width, of.hidden, bias) : no_tensor;
    const int up = product("experts.up_proj", permuted, of.width, of.hidden, bias);
    if (builder.targeted("experts.gate_up_proj")) {
        const double halves = (tower.gated ? 2 : 1) * of.width;
        builder.add_parameter_adapter(permuted, of.routed, of.experts, halves, of.hidden);
    }
    const double elements = of.rows * of.width;
    const int activated = tower.gated
                              ? add_activation(builder, tower.activation, gate, up, elements)
                              : add_activation(builder, tower.activation, up, no_tensor, elements);
    if (moe.expert_bias && tower.gated && builder.shape().training) {
        clamp_activation(builder, of);
    }
    const int down = product("experts.down_proj", activated, of.hidden, of.width,
                             moe.expert_bias ? of.hidden : 0);
    if (builder.targeted("experts.down_proj")) {
        builder.add_parameter_adapter(activated, of.routed, of.experts, of.hidden, of.width);
    }
    const Libraries& libraries = builder.software().runtime.libraries;
    if (moe.expert_bias && tower.gated && builder.runs_modules() &&
        libraries.transformers < Version{5, 0}) {
        widen_slices(builder, first);
    }
    return down;
}

/// Adds the outputs of a token's experts by their weights.
int add_combine(BlockBuilder& builder, const RoutedExperts& of, int down) {
    const int combined = builder.tensor("moe.combined", of.tokens * of.hidden * of.element);
    Operator& combine =
        builder.elementwise("moe.combine", Role::dispatch, down, combined,
                            (2 * of.routed + of.tokens) * of.hidden * of.element + of.sorting);
    combine.forward_kernels = of.sorts() ? 4 : 3;
    combine.backward_kernels = of.sorts() ? 5 : 4;
    if (of.inside) {
        builder.keep(combine, builder.tensor("moe.weights", of.routed * of.element));
        return combined;
    }
    const bool copies = builder.shape().training && builder.software().runtime.routing_upcasts();
    if (copies) {
        // An fp32 copy times the weights, in 16 bits again; backward the gradient in fp32 and its
        // products with the copy and with the weights.
        combine.workspace_forward = Bytes::of_base(of.routed * of.hidden * (4 + of.element));
        combine.workspace_backward = Bytes::of_base(of.routed * of.hidden * (3 * 4 - of.element));
    }
    builder.keep(combine,
                 copies ? builder.tensor("moe.fp32_copy", of.routed * of.hidden * 4) : down);
    builder.keep(combine, builder.tensor("moe.weights", of.routed * 4));
    return combined;
}

/// The expert that every token passes, added to what the routed ones made.
int add_shared_expert(BlockBuilder& builder, const TransformerStack& tower, const RoutedExperts& of,
                      int input, int combined) {
    const PassShape& shape = builder.shape();
    const double width = static_cast<double>(tower.moe->shared_ffn) / shape.tensor;
    const auto linear = [&](const char* name, int from, double out, double in) {
        return builder.linear(name, from, shape.tokens, out, in, 0, shape.activation);
    };
    const int gate = tower.gated ? linear("shared.gate_proj", input, width, of.hidden) : no_tensor;
    const int up = linear("shared.up_proj", input, width, of.hidden);
    const double elements = shape.tokens * width;
    const int product = tower.gated
                            ? add_activation(builder, tower.activation, gate, up, elements)
                            : add_activation(builder, tower.activation, up, no_tensor, elements);
    const int down = linear("shared.down_proj", product, of.hidden, width);
    if (tower.moe->shared_gate) {
        linear("shared.gate", input, 1, of.hidden);
    }
    return builder.residual_add("moe.sum", combined, down, of.tokens * of.hidden * of.element);
}

}  // namespace

int add_experts(BlockBuilder& builder, const TransformerStack& tower, int input) {
    const PassShape& shape = builder.shape();
    const MixtureOfExperts& moe = *tower.moe;
    const RoutedExperts of = routed_experts(builder, tower);
    add_router(builder, tower, input, of.sent);
    const std::size_t dispatch_at = builder.block().operators.size();
    const int permuted = add_dispatch(builder, moe, of, input);
    const int down = add_expert_products(builder, tower, of, permuted);
    const int combined = add_combine(builder, of, down);
    run_transformers_experts(builder, moe, of, dispatch_at);

    // Gate, up and their product, which the list has after the routed experts.
    const double shared_kept = 3 * shape.tokens * moe.shared_ffn / shape.tensor * shape.activation;
    const double token = of.hidden * of.element;
    if (of.inside) {
        hold_copies(builder, dispatch_at,
                    {.sent = of.sent * moe.experts_per_token * token,
                     .read = of.copies(),
                     .shared = moe.shared_ffn > 0 ? of.sent * token + shared_kept : 0,
                     .exchanges = of.exchanged,
                     .gathers = of.sent<of.tokens, .sorts = of.experts> 1});
    }
    if (of.exchanged && shape.training && builder.software().runtime.options.saves_exchanges) {
        builder.tensor("moe.exchanged", 2 * of.copies());  // there and back
    }
    if (of.exchanged && !sums_experts(shape)) {
        builder.block().expert_message = Bytes::of_base(of.copies());
        builder.block().expert_messages = 2;
    }
    return moe.shared_ffn > 0 ? add_shared_expert(builder, tower, of, input, combined) : combined;
}

}  // namespace ridgeline
