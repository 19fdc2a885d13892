// A graph of operators (ONNX), whatever network it is: each operator as the builder lists it, with
// the sides that the file gives.
#include "spec/graph.h"

#include "estimate/families/family.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ridgeline {
namespace {

using enum GraphWork;

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
                net_.block(node.name);
            }
            list(node);
        }
        SubModel model = net_.finish();
        model.live = Bytes::of_base(live());
        return model;
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

    /// Operators with weights begin a block, so that a block holds one of them.
    static bool begins_block(GraphWork work) {
        return work == convolution || work == transposed || work == product || work == recurrent ||
               work == attention;
    }

    /// The storage of a tensor; one of the wanted size is made where there is none.
    int id_of(int at) {
        int& id = ids_[static_cast<std::size_t>(at)];
        if (id == no_tensor) {
            const GraphTensor& one = tensor(at);
            // Of at least one element, as the builder asks: a single number is no problem.
            const double scaled = share(one.elements) * width_of(one) / net_.context().bytes;
            id = net_.made(std::max(1.0, scaled), 1, 1, 1).id;
        }
        return id;
    }

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

    /// Stored elements of the weights that no operator before has counted.
    double weights_of(const GraphNode& node) {
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

    Operator& streams(const GraphNode& node, std::string_view name, Role role, double backward) {
        Operator& op = net_.add_operator(name, role, OperatorClass::streaming);
        const auto [reads, writes] = traffic(node);
        op.parameters = weights_of(node);
        op.forward_traffic = Bytes::of_base(reads + writes);
        op.backward_traffic = Bytes::of_base(backward * (reads + writes));
        outputs(node);
        return op;
    }

    void list(const GraphNode& node) {
        switch (node.work) {
            case view:
                share_storage(node);
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

    void keep_first(const GraphNode& node) { keep(first_map(node)); }
    void keep_output(const GraphNode& node) {
        if (!node.outputs.empty()) {
            net_.keep(flat(node.outputs.front()));
        }
    }

    void share_storage(const GraphNode& node) {
        const int from = first_map(node);
        const bool same = from >= 0 && !node.outputs.empty() &&
                          tensor(from).elements == tensor(node.outputs.front()).elements;
        if (!same) {
            streams(node, "fill", Role::other, 0);
            return;
        }
        const int id = id_of(from);
        for (const int output : node.outputs) {
            ids_[static_cast<std::size_t>(output)] = id;
        }
    }

    /// Product with a weight: rows m, columns n, depth k; forward and both gradients.
    void product_figures(const GraphNode& node,
                         Operator& op,
                         double rows_count,
                         double columns,
                         double depth,
                         double groups,
                         bool weight) {
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

    void convolve(const GraphNode& node) {
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
            threes =
                threes && node.kernel[i] == 3 && node.strides[i] == 1 && node.dilations[i] == 1;
        }
        const bool depthwise = node.groups > 1 && node.groups == from.channels;
        const bool winograd = threes && node.groups == 1 && from.channels >= 16 && !turned;
        Operator& op = net_.add_operator(
            turned      ? "transposed convolution"
            : depthwise ? "depthwise convolution"
            : winograd  ? winograd_convolution
                        : "convolution",
            Role::linear,
            depthwise ? OperatorClass::depthwise_convolution : OperatorClass::convolution);
        const double samples = net_.context().samples;
        if (turned) {
            product_figures(node,
                            op,
                            samples * from.positions(),
                            to.channels / node.groups * taps,
                            from.channels / node.groups,
                            node.groups,
                            true);
        } else {
            product_figures(node,
                            op,
                            samples * to.positions(),
                            to.channels / node.groups,
                            from.channels / node.groups * taps,
                            node.groups,
                            true);
        }
    }

    void multiply_matrices(const GraphNode& node) {
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
        product_figures(node,
                        op,
                        many ? node.m : node.m * scale,
                        node.n,
                        node.k,
                        many ? node.count * scale : node.count,
                        !two_maps);
        outputs(node);
    }

    void list_recurrent(const GraphNode& node) {
        const double samples = net_.context().samples * node.m / graph_.samples;
        const double width = net_.context().bytes;
        const int in = first_map(node);
        keep(in);
        Operator& inputs = net_.add_operator("linear", Role::linear, OperatorClass::gemm);
        inputs.gemm = {
            .m = samples * node.steps, .n = node.gates * node.n, .k = node.k, .count = node.groups};
        inputs.forward = inputs.gemm.flops();
        inputs.backward = inputs.forward * 2.0;
        inputs.forward_traffic = Bytes::of_base(
            samples * node.steps * (node.k + node.groups * node.gates * node.n) * width);
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
            net_.keep_bytes((node.gates + 2) * node.n * node.steps * width * node.m /
                            graph_.samples);
        }
        gradient_flows_ = true;
        outputs(node);
    }

    void attend(const GraphNode& node) {
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
            id_of(in),
            channels,
            1,
            1,
            std::max(1.0, share(tensor(node.outputs.front()).elements) / std::max(1.0, channels))};
        const Map out = net_.attention(queries, channels, node.groups, node.steps);
        ids_[static_cast<std::size_t>(node.outputs.front())] = out.id;
        outputs(node);
    }

    /// Scale and shift train; mean and variance are buffers.
    void normalise_batch(const GraphNode& node) {
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

    void pool_largest(const GraphNode& node) {
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
    void look_rows_up(const GraphNode& node) {
        const bool stored = !node.inputs.empty() && tensor(node.inputs.front()).weight;
        Operator& op =
            net_.add_operator(stored ? "embedding" : "copy",
                              stored ? Role::embedding : Role::other,
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

    /// Most bytes of maps that are alive at once, each from the operator that makes it to the last
    /// that reads it.
    double live() const {
        // Views live in the storage of what they show.
        const auto storage = [this](int at) { return ids_[static_cast<std::size_t>(at)]; };
        const int storages = 1 + *std::max_element(ids_.begin(), ids_.end());
        std::vector<int> last(static_cast<std::size_t>(storages), -1);
        for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
            for (const int input : graph_.nodes[i].inputs) {
                if (!tensor(input).weight && storage(input) >= 0) {
                    last[static_cast<std::size_t>(storage(input))] = static_cast<int>(i);
                }
            }
        }
        for (const int output : graph_.outputs) {
            if (storage(output) >= 0) {
                last[static_cast<std::size_t>(storage(output))] =
                    static_cast<int>(graph_.nodes.size());
            }
        }
        std::vector<double> bytes(static_cast<std::size_t>(storages), 0);
        double now = 0;
        double most = 0;
        const auto take = [&](int at) {
            const int id = storage(at);
            if (id >= 0 && !tensor(at).weight && bytes[static_cast<std::size_t>(id)] == 0) {
                bytes[static_cast<std::size_t>(id)] = bytes_of(tensor(at));
                now += bytes[static_cast<std::size_t>(id)];
            }
        };
        for (const int input : graph_.inputs) {
            take(input);
        }
        for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
            const GraphNode& node = graph_.nodes[i];
            for (const int output : node.outputs) {
                take(output);
            }
            most = std::max(most, now);
            const auto give = [&](int at) {
                const int id = storage(at);
                if (id >= 0 && !tensor(at).weight &&
                    last[static_cast<std::size_t>(id)] <= static_cast<int>(i)) {
                    now -= bytes[static_cast<std::size_t>(id)];
                    bytes[static_cast<std::size_t>(id)] = 0;
                }
            };
            for (const int input : node.inputs) {
                give(input);
            }
            for (const int output : node.outputs) {
                give(output);
            }
        }
        return most;
    }

    const GraphNetwork& graph_;
    NetworkBuilder net_;
    std::vector<int> ids_;         ///< storage of each tensor
    std::vector<char> counted_;    ///< weights that an operator owns already
    bool gradient_flows_ = false;  ///< past the first operator with a weight
};

Program list_graph(const FamilyInput& input) {
    Program program;
    if (input.architecture.graph == nullptr) {
        program.problem = "graph";
        return program;
    }
    GraphLister lister(*input.architecture.graph, input.context);
    program.models.push_back(lister.run());
    program.problem = lister.problem();
    program.models.back().trains = input.training();
    program.passes = simple_passes(input.training());
    return program;
}

}  // namespace

ProgramLister graph_program(std::string_view type) {
    return type == "onnx" ? list_graph : nullptr;
}

}  // namespace ridgeline
