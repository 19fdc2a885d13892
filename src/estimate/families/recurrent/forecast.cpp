// The Temporal Fusion Transformer: variables are chosen step by step, an LSTM reads the past and
// one the future, and attention whose heads share their values looks back.
#include "estimate/families/recurrent/networks.h"

namespace ridgeline {
namespace {

using enum ActivationKind;

/// A product to twice the width, one half of which gates the other.
Map gated(NetworkBuilder& net, const Map& in, double width) {
    const Map both = net.linear(in, 2 * width);
    return net.pointwise({both.id, width, 1, 1, in.positions()}, 2, 2, "gate");
}

/// What a gate lets through, added to what went around it, and a norm.
Map gated_sum(NetworkBuilder& net, const Map& in, const Map& around) {
    return net.layer_norm(net.add(gated(net, in, around.channels), around));
}

struct ResidualForm {
    double hidden = 128;
    double out = 0;        ///< 0: as wide as what is read, which is added as it is
    bool context = false;  ///< a row a sample is added before the activation
    bool dropout = true;
};
/// The paper's gated residual network.
Map gated_residual(NetworkBuilder& net, const Map& in, const ResidualForm& form) {
    Map x = net.linear(in, form.hidden);
    if (form.context) {
        net.linear(net.made(form.hidden, 1, 1, 1), form.hidden, false);
        x = net.pointwise(x, 1, 0, "context");
    }
    x = net.linear(net.activation(x, smooth), form.hidden);
    x = form.dropout ? net.dropout(x) : x;
    const double width = form.out > 0 ? form.out : form.hidden;
    x = net.add(gated(net, x, width), form.out > 0 ? net.linear(in, form.out) : in);
    return width > 1 ? net.layer_norm(x) : x;
}

/// Each variable that is taken out of a map writes a gradient of the whole map, zeros but for its
/// own (torch select_backward), which is added to that of the others; the gradient of what was
/// stacked again lies apart by element, so that each variable reads all of it.
void variable_by_variable(NetworkBuilder& net, const Map& all, double variables) {
    Operator& op = net.add_operator("variable by variable", Role::other, OperatorClass::streaming);
    constexpr double passes = 5;  // zeros; two read and one written to add them; the stack
    op.backward_traffic = Bytes::of_base(passes * variables * all.elements() *
                                         net.context().samples * net.context().bytes);
    op.forward_kernels = 0;
    op.backward_kernels = 3 * variables;
}

/// Weights of `variables` from all of them, a residual network each, and their weighted sum. What
/// is read of one variable lies apart in memory, so that it is copied before its product.
Map select_variables(NetworkBuilder& net, double variables, double hidden, double steps,
                     bool context) {
    const Map all =
        net.copied(net.made(variables * hidden, 1, 1, steps), variables * hidden, 1, steps);
    if (!context) {
        net.parameters("context that nothing is read of", hidden * hidden);
    }
    const Map weights = gated_residual(
        net, all, {.hidden = hidden, .out = variables, .context = context, .dropout = false});
    net.pointwise(weights, 1, 1, "softmax");
    for (int i = 0; i < variables; ++i) {
        gated_residual(net, net.copied(all, hidden, 1, steps), {.hidden = hidden});
    }
    variable_by_variable(net, all, variables);
    const Map together = net.copied(all, variables * hidden, 1, steps);
    net.keep(together);
    return net.copied(together, hidden, 1, steps);
}

/// Attention whose heads have queries and keys of their own and one map of values; their mean is
/// read.
Map shared_values_attention(NetworkBuilder& net, const Map& in, double heads) {
    const double hidden = in.channels;
    const double head = hidden / heads;
    const double steps = in.positions();
    const Map mixed = net.linear(in, (2 * heads + 1) * head, false);
    const Map q = net.copied(mixed, hidden, 1, steps);
    const Map k = net.copied(mixed, hidden, 1, steps);
    const Map out = net.attention(q, hidden, heads, steps, 1, {k, mixed}, false);
    return net.dropout(net.linear(net.copied(out, head, 1, steps), hidden, false));
}

}  // namespace

void list_forecast(NetworkBuilder& net, const FamilyInput& input) {
    const NetworkSizes& sizes = input.sizes;
    const Batch& batch = input.workload.batch;
    const double hidden = sizes.number("hidden_size", 128);
    const double past =
        batch.encoder_steps > 0 ? batch.encoder_steps : sizes.number("encoder_length", 168);
    const double future =
        batch.decoder_steps > 0 ? batch.decoder_steps : sizes.number("decoder_length", 24);
    const double known = sizes.number("known_variables", 3);
    const double targets = sizes.number("target_variables", 1);
    const double statics = sizes.number("static_variables", 1);
    net.block("embedding");
    net.embedding(sizes.number("static_categories", 369), hidden, 1);
    net.parameters("vectors of variables", 2 * (known + targets) * hidden);
    // A product with a vector and a bias, each a pass that writes all variables of all steps.
    net.pointwise(net.made((known + targets) * hidden, 1, 1, past + future), 2, 1, "vectors");
    net.block("static encoder");
    const Map row = select_variables(net, statics, hidden, 1, false);
    constexpr int contexts = 4;  // of the selection, of the enrichment, two states of the LSTM
    for (int i = 0; i < contexts; ++i) {
        gated_residual(net, row, {.hidden = hidden});
    }
    net.block("past");
    const Map chosen = select_variables(net, known + targets, hidden, past, true);
    recurrent_layer(net, chosen, hidden, 4);
    net.block("future");
    const Map planned = select_variables(net, known, hidden, future, true);
    recurrent_layer(net, planned, hidden, 4);
    net.block("attention");
    const Map around = net.copied(chosen, hidden, 1, past + future);
    Map x = net.copied(planned, hidden, 1, past + future);
    x = gated_sum(net, x, around);
    const Map enriched = gated_residual(net, x, {.hidden = hidden, .context = true});
    const Map seen = shared_values_attention(net, enriched, sizes.number("num_attention_heads", 4));
    // Only what lies ahead is predicted.
    net.block("head");
    const auto ahead = [&](const Map& map) {
        return NetworkBuilder::viewed(map, hidden, 1, future);
    };
    Map y = gated_sum(net, ahead(seen), ahead(enriched));
    y = gated_residual(net, y, {.hidden = hidden});
    y = gated_sum(net, y, ahead(x));
    net.linear(y, sizes.number("quantiles", 3));
}

}  // namespace ridgeline
