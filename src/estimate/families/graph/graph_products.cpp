// Operators of a graph that multiply: convolutions, matrices, recurrent layers, attention.
#include "estimate/families/graph/graph_lister.h"

#include <algorithm>

namespace ridgeline {

using enum GraphWork;

/// Product with a weight: rows m, columns n, depth k; forward and both gradients.
void GraphLister::product_figures(const GraphNode& node, Operator& op, double rows_count,
                                  double columns, double depth, double groups, bool weight) {
    op.gemm = {.m = rows_count, .n = columns, .k = depth, .count = groups};
    op.rows = columns * groups;
    op.columns = depth;
    op.parameters = weights_of(node);
    op.forward = op.gemm.flops();
    op.backward = op.forward * (gradient_flows_ || !weight ? 2.0 : 1.0);
    const auto [reads, writes] = traffic(node);
    op.forward_traffic = Bytes::of_base(reads + writes);
    op.backward_traffic = Bytes::of_base((gradient_flows_ ? 2 : 1) * (reads + writes));
    op.backward_kernels = gradient_flows_ ? 2 : 1;
    gradient_flows_ = true;
}

void GraphLister::convolve(const GraphNode& node) {
    const int in = first_map(node);
    if (in < 0 || node.outputs.empty()) {
        streams(node, "copy", Role::other, 1);
        return;
    }
    keep(in);
    const bool turned = node.work == transposed;
    const Map from = image(in);
    const Map to = image(node.outputs.front());
    double taps = 1;
    bool threes = node.kernel.size() == 2;
    for (std::size_t i = 0; i < node.kernel.size(); ++i) {
        taps *= node.kernel[i];
        threes = threes && node.kernel[i] == 3 && node.strides[i] == 1 && node.dilations[i] == 1;
    }
    const bool depthwise = node.groups > 1 && node.groups == from.channels;
    const bool winograd = threes && from.channels / node.groups >= 16 && !turned;
    Operator& op = net_.add_operator(
        turned      ? "transposed convolution"
        : depthwise ? "depthwise convolution"
        : winograd  ? winograd_convolution
                    : "convolution",
        Role::linear,
        depthwise ? OperatorClass::depthwise_convolution : OperatorClass::convolution);
    const double samples = net_.context().samples;
    if (turned) {
        product_figures(node, op, samples * from.positions(), to.channels / node.groups * taps,
                        from.channels / node.groups, node.groups, true);
    } else {
        product_figures(node, op, samples * to.positions(), to.channels / node.groups,
                        from.channels / node.groups * taps, node.groups, true);
    }
}

void GraphLister::multiply_matrices(const GraphNode& node) {
    const double samples = net_.context().samples;
    const bool two_maps = first_map(node, 1) >= 0;
    for (const int input : node.inputs) {
        keep(input);
    }
    Operator& op =
        net_.add_operator(two_maps ? "product" : "linear", Role::linear, OperatorClass::gemm);
    // Of a batch of products the batch holds more; of one product it has more rows.
    const double scale = samples / graph_.samples;
    const bool many = two_maps && node.count > 1;
    product_figures(node, op, many ? node.m : node.m * scale, node.n, node.k,
                    many ? node.count * scale : node.count, !two_maps);
    outputs(node);
}

void GraphLister::list_recurrent(const GraphNode& node) {
    const double samples = net_.context().samples * node.m / graph_.samples;
    const double width = net_.context().bytes;
    const int in = first_map(node);
    keep(in);
    Operator& inputs = net_.add_operator("linear", Role::linear, OperatorClass::gemm);
    inputs.gemm = {
        .m = samples * node.steps, .n = node.gates * node.n, .k = node.k, .count = node.groups};
    inputs.forward = inputs.gemm.flops();
    inputs.backward = inputs.forward * 2.0;
    inputs.forward_traffic =
        Bytes::of_base(samples * node.steps * (node.k + node.groups * node.gates * node.n) * width);
    inputs.backward_traffic = inputs.forward_traffic * 2.0;
    const double stored = weights_of(node);
    for (int direction = 0; direction < static_cast<int>(std::clamp(node.groups, 1.0, 2.0));
         ++direction) {
        Operator& op = net_.add_operator(recurrent_steps, Role::linear, OperatorClass::gemv);
        op.parameters = direction == 0 ? stored : 0;
        op.rows = node.gates * node.n;
        op.columns = node.n;
        op.forward = Flops::of_base(2 * node.gates * node.n * node.n * samples * node.steps);
        op.backward = op.forward * 2.0;
        op.forward_traffic = Bytes::of_base(
            node.steps * (node.gates * node.n * node.n + (node.gates + 3) * node.n * samples) *
            width);
        op.backward_traffic = op.forward_traffic * 1.5;
        op.forward_kernels = op.backward_kernels = node.steps;
        net_.keep_bytes((node.gates + 2) * node.n * node.steps * width * node.m / graph_.samples);
    }
    gradient_flows_ = true;
    outputs(node);
}

void GraphLister::attend(const GraphNode& node) {
    const int in = first_map(node);
    if (in < 0 || node.outputs.empty()) {
        streams(node, "copy", Role::other, 1);
        return;
    }
    for (const int input : node.inputs) {
        keep(input);
    }
    const double weights = weights_of(node);
    if (node.k > 0) {
        Operator& op = net_.add_operator("linear", Role::linear, OperatorClass::gemm);
        const double scale = net_.context().samples / graph_.samples;
        op.gemm = {.m = node.m * scale, .n = node.n, .k = node.k, .count = 1};
        op.rows = node.n;
        op.columns = node.k;
        op.parameters = weights;
        op.forward = op.gemm.flops();
        op.backward = op.forward * 2.0;
        op.forward_traffic =
            Bytes::of_base(node.m * scale * (node.n + node.k) * net_.context().bytes);
        op.backward_traffic = op.forward_traffic * 2.0;
    } else {
        net_.parameters("attention", weights);
    }
    const std::vector<double>& sides = tensor(node.outputs.front()).sides;
    const bool split = sides.size() == 4;
    const double channels = split ? sides[1] * sides[3] : rows(node.outputs.front()).channels;
    const Map queries{
        id_of(in), channels, 1, 1,
        std::max(1.0, share(tensor(node.outputs.front()).elements) / std::max(1.0, channels))};
    const Map out = net_.attention(queries, channels, node.groups, node.steps);
    ids_[static_cast<std::size_t>(node.outputs.front())] = out.id;
    outputs(node);
}

}  // namespace ridgeline
