#pragma once

// A graph of operators (ONNX), whatever network it is: each operator as the builder lists it, with
// the sides that the file gives.
#include "estimate/families/network_builder.h"
#include "spec/graph.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace ridgeline {

/// Lists one graph. Figures of the file are of `samples` samples; the builder takes those of one.
class GraphLister {
public:
    GraphLister(const GraphNetwork& graph, const PassContext& context)
        : graph_(graph),
          net_(context, "graph"),
          ids_(graph.tensors.size(), no_tensor),
          counted_(graph.tensors.size(), 0) {}

    SubModel run() {
        net_.block("input");
        for (const int input : graph_.inputs) {
            id_of(input);
        }
        for (const GraphNode& node : graph_.nodes) {
            if (begins_block(node.work)) {
                net_.block(node.name, with_what_follows);
            }
            list(node);
        }
        return net_.finish();
    }

    [[nodiscard]] std::string_view problem() const { return net_.problem(); }

private:
    [[nodiscard]] const GraphTensor& tensor(int at) const {
        return graph_.tensors[static_cast<std::size_t>(at)];
    }
    /// Elements that one sample takes.
    [[nodiscard]] double share(double elements) const {
        return std::max(elements / graph_.samples, 1e-9);
    }
    [[nodiscard]] double width_of(const GraphTensor& tensor) const {
        return tensor.bytes > 0 ? tensor.bytes : net_.context().bytes;
    }
    [[nodiscard]] double bytes_of(const GraphTensor& tensor) const {
        return share(tensor.elements) * width_of(tensor) * net_.context().samples;
    }

    /// A norm or an activation follows most products.
    static constexpr std::size_t with_what_follows = 2;

    /// Operators with weights begin a block, so that a block holds one of them.
    static bool begins_block(GraphWork work) {
        using enum GraphWork;
        return work == convolution || work == transposed || work == product || work == recurrent ||
               work == attention;
    }

    int id_of(int at);

    Map flat(int at) {
        const double elements = std::max(1.0, share(tensor(at).elements));
        return {id_of(at), elements, 1, 1, 1};
    }
    /// [samples, channels, ...] as channels over positions.
    Map image(int at) {
        const std::vector<double>& sides = tensor(at).sides;
        Map map = flat(at);
        const double channels = sides.size() > 1 ? std::max(1.0, sides[1]) : 1;
        const double positions = std::max(1e-9, share(tensor(at).elements) / channels);
        return {map.id, channels, 1, 1, positions};
    }
    /// The last side as channels.
    Map rows(int at) {
        const std::vector<double>& sides = tensor(at).sides;
        const double channels = sides.empty() ? 1 : std::max(1.0, sides.back());
        return {id_of(at), channels, 1, 1, std::max(1e-9, share(tensor(at).elements) / channels)};
    }

    /// First input that is no weight; -1: none.
    [[nodiscard]] int first_map(const GraphNode& node, int skipped = 0) const {
        for (const int input : node.inputs) {
            if (!tensor(input).weight && skipped-- == 0) {
                return input;
            }
        }
        return -1;
    }

    double weights_of(const GraphNode& node);

    void keep(int at) {
        if (at >= 0 && !tensor(at).weight) {
            net_.keep(flat(at));
        }
    }

    /// Bytes of all inputs that are maps, and of all outputs.
    [[nodiscard]] std::pair<double, double> traffic(const GraphNode& node) const {
        double reads = 0;
        double writes = 0;
        for (const int input : node.inputs) {
            reads += tensor(input).weight ? 0 : bytes_of(tensor(input));
        }
        for (const int output : node.outputs) {
            writes += bytes_of(tensor(output));
        }
        return {reads, writes};
    }

    void outputs(const GraphNode& node) {
        for (const int output : node.outputs) {
            id_of(output);
        }
    }

    Operator& streams(const GraphNode& node, std::string_view name, Role role, double backward);
    void list(const GraphNode& node);

    void keep_first(const GraphNode& node) { keep(first_map(node)); }
    void keep_output(const GraphNode& node) {
        if (!node.outputs.empty()) {
            net_.keep(flat(node.outputs.front()));
        }
    }

    bool shares_storage(const GraphNode& node);
    void list_operator(const GraphNode& node);
    void flow(const GraphNode& node);
    void product_figures(const GraphNode& node, Operator& op, double rows_count, double columns,
                         double depth, double groups, bool weight);
    void convolve(const GraphNode& node);
    void multiply_matrices(const GraphNode& node);
    void list_recurrent(const GraphNode& node);
    void attend(const GraphNode& node);
    void normalise_batch(const GraphNode& node);
    void pool_largest(const GraphNode& node);
    void look_rows_up(const GraphNode& node);

    const GraphNetwork& graph_;
    NetworkBuilder net_;
    std::vector<int> ids_;         ///< storage of each tensor
    std::vector<char> counted_;    ///< weights that an operator owns already
    bool gradient_flows_ = false;  ///< past the first operator with a weight
};

}  // namespace ridgeline
