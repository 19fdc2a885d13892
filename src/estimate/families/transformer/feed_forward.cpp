// Feed-forward part of a layer, gated or plain; that of experts is experts.cpp.
//
// The gated activation act(gate) * up keeps gate, act(gate) and up in an eager stack, its two
// inputs when compiled or fused; the down projection keeps the product when it trains.
#include "estimate/families/transformer/block_builder.h"

namespace ridgeline {
namespace {

/// One kernel within the function of three projections and their adapters; backward it writes what
/// the last of them read and both gradients over what it reads (kernels/swiglu.py).
void fuse_activation(BlockBuilder& builder) {
    Operator& op = builder.block().operators.back();
    const double read = builder.size_of(op.inputs[0]).base();
    op.in_place = true;
    op.kept = {op.inputs[0], op.inputs[1], no_tensor, no_tensor,
               no_tensor,    no_tensor,    no_tensor, no_tensor};
    op.forward_traffic = Bytes::of_base(3 * read);
    op.backward_traffic = Bytes::of_base(6 * read);
    op.forward_kernels = op.backward_kernels = 1;
}

bool eager_activation(const BlockBuilder& builder) {
    return !builder.workload().compiled &&
           builder.software().kernels.activation != ActivationKernel::fused;
}

}  // namespace

int add_activation(BlockBuilder& builder, std::string_view kind, int gate, int up,
                   double elements) {
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
    if (written_out && !gated) {
        // Eight kernels for 0.5 x (1 + tanh(c (x + 0.044715 x^3))), of which those from the power
        // on are wide; back two for each factor, and the sums of what reaches x.
        op.forward_traffic = Bytes::of_base(elements * (4 * g + 14 * wide));
        op.backward_traffic = Bytes::of_base(elements * (2 * g + 28 * wide));
        op.forward_kernels = 8;
        op.backward_kernels = 14;
    }
    const bool by_sigmoid = eager && !gated && kind == "quick_gelu";
    if (by_sigmoid) {
        // x sigmoid(1.702 x): scaled, its sigmoid, the product; back two for the product.
        op.forward_traffic = Bytes::of_base(7 * elements * g);
        op.backward_traffic = Bytes::of_base(14 * elements * g);
        op.forward_kernels = 3;
        op.backward_kernels = 5;
    }
    op.inputs = {gate, up, no_tensor, no_tensor};
    op.outputs[0] = product;
    Operator& added = builder.add(op);
    if (by_sigmoid) {
        builder.keep(added, builder.tensor("activation.sigmoid", elements * g));
    }
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

int add_feed_forward(BlockBuilder& builder, const TransformerStack& tower, int input,
                     double width) {
    const PassShape& shape = builder.shape();
    const double g = shape.activation;
    const double n = shape.tokens;
    const double local = width / shape.tensor;
    const double hidden = tower.hidden;
    const double bias = tower.mlp_bias ? local : 0;
    int gate = no_tensor;
    if (tower.gated) {
        gate = builder.linear("gate_proj", input, n, local, hidden, bias, g);
    }
    const int up = builder.linear("up_proj", input, n, local, hidden, bias, g);
    int product = tower.gated ? add_activation(builder, tower.activation, gate, up, n * local)
                              : add_activation(builder, tower.activation, up, no_tensor, n * local);
    if (tower.gated && builder.fuses_adapter("down_proj")) {
        fuse_activation(builder);
    }
    if (tower.norm_keeps_input && shape.casts_weights) {
        // T5 hands the last product an operand in the type of its weight, which autocast casts
        // anew.
        const int wide = builder.tensor("activation.fp32", n * local * 4);
        builder.elementwise("activation.float", Role::other, product, wide, n * local * (g + 4));
        product = wide;
    }
    return builder.linear("down_proj", product, n, hidden, local, tower.mlp_bias ? hidden : 0, g);
}

}  // namespace ridgeline
