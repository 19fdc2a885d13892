#include "estimate/families/graph/graph_lister.h"

#include <algorithm>

namespace ridgeline {

using enum GraphWork;

/// The storage of a tensor; one of the wanted size is made where there is none.
int GraphLister::id_of(int at) {
    int& id = ids_[static_cast<std::size_t>(at)];
    if (id == no_tensor) {
        const GraphTensor& one = tensor(at);
        // Of at least one element, as the builder asks: a single number is no problem.
        const double scaled = share(one.elements) * width_of(one) / net_.context().bytes;
        id = net_.made(std::max(1.0, scaled), 1, 1, 1).id;
    }
    return id;
}

/// Stored elements of the weights that no operator before has counted.
double GraphLister::weights_of(const GraphNode& node) {
    double elements = 0;
    for (const int input : node.inputs) {
        char& seen = counted_[static_cast<std::size_t>(input)];
        if (tensor(input).weight && seen == 0) {
            seen = 1;
            elements += tensor(input).parameters;
        }
    }
    return elements;
}

Operator& GraphLister::streams(const GraphNode& node, std::string_view name, Role role,
                               double backward) {
    Operator& op = net_.add_operator(name, role, OperatorClass::streaming);
    const auto [reads, writes] = traffic(node);
    op.parameters = weights_of(node);
    op.forward_traffic = Bytes::of_base(reads + writes);
    op.backward_traffic = Bytes::of_base(backward * (reads + writes));
    outputs(node);
    return op;
}

void GraphLister::list(const GraphNode& node) {
    if (node.work == view && shares_storage(node)) {
        return;
    }
    list_operator(node);
    flow(node);
}

void GraphLister::list_operator(const GraphNode& node) {
    switch (node.work) {
        case view:
            streams(node, "fill", Role::other, 0);
            break;
        case convolution:
        case transposed:
            convolve(node);
            break;
        case product:
            multiply_matrices(node);
            break;
        case recurrent:
            list_recurrent(node);
            break;
        case attention:
            attend(node);
            break;
        case batch_norm:
            normalise_batch(node);
            break;
        case norm:
            keep_first(node);
            streams(node, "norm", Role::norm, 2.5);
            break;
        case softmax:
            streams(node, "softmax", Role::other, 1.5);
            keep_output(node);
            break;
        case relu:
            streams(node, "activation", Role::activation, 1.5);
            keep_output(node);
            break;
        case smooth:
            keep_first(node);
            streams(node, "activation", Role::activation, 1.5);
            break;
        case GraphWork::add:
            streams(node, "add", Role::residual, 1);
            break;
        case multiply:
            for (const int input : node.inputs) {
                keep(input);
            }
            streams(node, "multiply", Role::other, 1.5).backward_kernels = 2;
            break;
        case max_pool:
            pool_largest(node);
            break;
        case average_pool:
            streams(node, "average pool", Role::other, 1);
            break;
        case reduction:
            streams(node, "reduction", Role::other, 1);
            break;
        case concatenate:
            streams(node, "concatenate", Role::other, 1);
            break;
        case resize:
            streams(node, "upsample", Role::other, 1);
            break;
        case copy:
            streams(node, "copy", Role::other, 1);
            break;
        case look_up:
            look_rows_up(node);
            break;
        case subgraph:
            streams(node, "subgraph", Role::other, 1);
            break;
        case unknown:
            keep_first(node);
            streams(node, "unknown", Role::other, 2);
            break;
    }
}

/// Whether the outputs are what the node reads, seen in another way.
bool GraphLister::shares_storage(const GraphNode& node) {
    const int from = first_map(node);
    const bool same = from >= 0 && !node.outputs.empty() &&
                      tensor(from).elements == tensor(node.outputs.front()).elements;
    for (std::size_t i = 0; same && i < node.outputs.size(); ++i) {
        ids_[static_cast<std::size_t>(node.outputs[i])] = id_of(from);
    }
    return same;
}

/// Scale and shift train; mean and variance are buffers.
void GraphLister::normalise_batch(const GraphNode& node) {
    keep_first(node);
    const int in = first_map(node);
    const double channels = in >= 0 && tensor(in).sides.size() > 1 ? tensor(in).sides[1] : 1;
    const double reads = in >= 0 ? bytes_of(tensor(in)) : 0;
    Operator& op = net_.add_operator("batch norm", Role::norm, OperatorClass::streaming);
    op.parameters = std::min(weights_of(node), 2 * channels);
    op.forward_traffic = Bytes::of_base((net_.context().training ? 3 : 2) * reads);
    op.backward_traffic = Bytes::of_base(5 * reads);
    net_.buffers(2 * channels);
    outputs(node);
}

void GraphLister::pool_largest(const GraphNode& node) {
    keep_first(node);
    Operator& op = streams(node, "max pool", Role::other, 1);
    const double indices = 8 * share(tensor(node.outputs.front()).elements);  // int64 places
    if (net_.context().training) {
        op.forward_traffic += Bytes::of_base(indices * net_.context().samples);
        op.backward_traffic += Bytes::of_base(indices * net_.context().samples);
    }
    net_.keep_bytes(indices);
}

/// Rows of a stored table, or elements of a map.
void GraphLister::look_rows_up(const GraphNode& node) {
    const bool stored = !node.inputs.empty() && tensor(node.inputs.front()).weight;
    Operator& op =
        net_.add_operator(stored ? "embedding" : "copy", stored ? Role::embedding : Role::other,
                          stored ? OperatorClass::embedding : OperatorClass::streaming);
    double writes = 0;
    for (const int output : node.outputs) {
        writes += bytes_of(tensor(output));
    }
    op.parameters = weights_of(node);
    op.forward_traffic = Bytes::of_base(2 * writes);
    op.backward_traffic = Bytes::of_base(3 * writes);
    op.active_fraction = 0;
    gradient_flows_ = gradient_flows_ || stored;
    outputs(node);
}

/// What the node's operator reads and makes. A further output is there when something reads it.
void GraphLister::flow(const GraphNode& node) {
    std::vector<Map> read;
    for (const int input : node.inputs) {
        if (!tensor(input).weight) {
            read.push_back(flat(input));
        }
    }
    net_.flow(node.outputs.empty() ? Map{} : flat(node.outputs.front()), read.data(), read.size());
}

}  // namespace ridgeline
