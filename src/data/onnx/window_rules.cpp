// Sides and work of convolutions, poolings, products, recurrent layers and attention, as
// onnx/onnx docs/Operators.md states them.
#include "data/onnx/rules.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline::onnx {
namespace {

std::vector<double> list_of(const Node& node, std::string_view name, std::size_t rank,
                            double usual) {
    const Attribute* found = node.attribute(name);
    std::vector<double> list = found != nullptr ? found->ints : std::vector<double>();
    list.resize(std::max(rank, list.size()), usual);
    return list;
}

std::string_view auto_pad(const Node& node) {
    const Attribute* found = node.attribute("auto_pad");
    return found != nullptr ? std::string_view(found->s) : std::string_view();
}

/// Kernel, strides, dilations and pads of a window over `sides` of [samples, channels, ...].
bool read_window(Call& call, const std::vector<double>& sides, std::vector<double> kernel) {
    const std::size_t rank = sides.size() < 3 ? 0 : sides.size() - 2;
    GraphNode& made = call.made;
    made.kernel = std::move(kernel);
    if (rank == 0 || rank > 3 || made.kernel.size() != rank) {
        call.fail(
            fmt::format("reads {} sides with a window of {}", sides.size(), made.kernel.size()));
        return false;
    }
    made.strides = list_of(call.node, "strides", rank, 1);
    made.dilations = list_of(call.node, "dilations", rank, 1);
    const std::vector<double> ends = list_of(call.node, "pads", 2 * rank, 0);
    for (std::size_t i = 0; i < rank; ++i) {
        constexpr double most = 1e6;
        const auto wrong = [](double value, double least) {
            return !(value >= least && value <= most);
        };
        if (wrong(made.kernel[i], 1) || wrong(made.strides[i], 1) || wrong(made.dilations[i], 1) ||
            wrong(ends[i], -most) || wrong(ends[i + rank], -most)) {
            call.fail(fmt::format("has a window of {} with a stride of {}", made.kernel[i],
                                  made.strides[i]));
            return false;
        }
        made.pads.push_back(ends[i] + ends[i + rank]);
    }
    return true;
}

/// Positions of the window along each axis; pads follow where the exporter left them to the rule.
std::vector<double> windowed(Call& call, const std::vector<double>& sides, double channels) {
    GraphNode& made = call.made;
    std::vector<double> out{sides[0], channels};
    const std::string_view pad = auto_pad(call.node);
    const bool ceil = call.node.number("ceil_mode", 0) != 0;
    for (std::size_t i = 0; i < made.kernel.size(); ++i) {
        const double side = sides[i + 2];
        const double reach = made.dilations[i] * (made.kernel[i] - 1) + 1;
        double steps = 0;
        if (pad == "SAME_UPPER" || pad == "SAME_LOWER") {
            steps = std::ceil(side / made.strides[i]);
            made.pads[i] = std::max(0.0, (steps - 1) * made.strides[i] + reach - side);
        } else {
            made.pads[i] = pad == "VALID" ? 0 : made.pads[i];
            const double room = (side + made.pads[i] - reach) / made.strides[i];
            steps = (ceil ? std::ceil(room) : std::floor(room)) + 1;
        }
        if (!(steps >= 1)) {
            call.fail(fmt::format("leaves nothing of a side of {:.0f} with a window of {:.0f}",
                                  side, reach));
            return {};
        }
        out.push_back(steps);
    }
    return out;
}

/// Index of the weight among the inputs: quantised forms have scale and zero point before it.
std::size_t weight_at(const Node& node) { return node.type.starts_with("QLinear") ? 3 : 1; }

}  // namespace

void rule_convolution(Call& call) {
    const std::vector<double> sides = call.sides(0);
    const std::vector<double> weight = call.sides(weight_at(call.node));
    if (!call.problem.empty()) {
        return;
    }
    if (weight.size() < 3 || weight.size() != sides.size()) {
        call.fail(
            fmt::format("multiplies {} sides by a weight of {}", sides.size(), weight.size()));
        return;
    }
    call.made.groups = call.node.number("group", 1);
    if (!(call.made.groups >= 1) || weight[1] * call.made.groups != sides[1]) {
        call.fail(fmt::format("reads {:.0f} channels with a weight of {:.0f} in {:.0f} groups",
                              sides[1], weight[1], call.made.groups));
        return;
    }
    if (read_window(call, sides, {weight.begin() + 2, weight.end()})) {
        call.give(windowed(call, sides, weight[0]));
    }
}

void rule_transposed(Call& call) {
    const std::vector<double> sides = call.sides(0);
    const std::vector<double> weight = call.sides(1);
    if (!call.problem.empty()) {
        return;
    }
    if (weight.size() < 3 || weight.size() != sides.size() || weight[0] != sides[1]) {
        call.fail("does not go with its weight");
        return;
    }
    call.made.groups = std::max(1.0, call.node.number("group", 1));
    if (!read_window(call, sides, {weight.begin() + 2, weight.end()})) {
        return;
    }
    const GraphNode& made = call.made;
    const std::vector<double> beyond = list_of(call.node, "output_padding", made.kernel.size(), 0);
    const Attribute* stated = call.node.attribute("output_shape");
    std::vector<double> out{sides[0], weight[1] * made.groups};
    const std::string_view pad = auto_pad(call.node);
    for (std::size_t i = 0; i < made.kernel.size(); ++i) {
        double side = made.strides[i] * (sides[i + 2] - 1) + beyond[i] +
                      made.dilations[i] * (made.kernel[i] - 1) + 1 - made.pads[i];
        if (pad == "SAME_UPPER" || pad == "SAME_LOWER") {
            side = sides[i + 2] * made.strides[i];
        }
        if (stated != nullptr && stated->ints.size() >= made.kernel.size()) {
            side = stated->ints[stated->ints.size() - made.kernel.size() + i];
        }
        out.push_back(side);
    }
    call.give(std::move(out));
}

void rule_pool(Call& call) {
    const std::vector<double> sides = call.sides(0);
    if (!call.problem.empty()) {
        return;
    }
    const Attribute* kernel = call.node.attribute("kernel_shape");
    if (kernel == nullptr) {
        call.fail("states no kernel_shape");
        return;
    }
    if (read_window(call, sides, kernel->ints)) {
        const std::vector<double> out = windowed(call, sides, sides[1]);
        call.give(out);
        if (call.out.size() > 1) {
            call.give(out, 1);
            call.out[1].type = static_cast<int>(Element::int64);
        }
    }
}

void rule_global_pool(Call& call) {
    std::vector<double> sides = call.sides(0);
    for (std::size_t i = 2; i < sides.size(); ++i) {
        sides[i] = 1;
    }
    call.give(std::move(sides));
}

void rule_recurrent(Call& call) {
    const std::vector<double> x = call.sides(0);
    const std::vector<double> r = call.sides(2);
    if (!call.problem.empty()) {
        return;
    }
    if (x.size() != 3 || r.size() != 3) {
        call.fail("expected inputs and weights of three sides");
        return;
    }
    const bool batch_first = call.node.number("layout", 0) != 0;
    const double steps = batch_first ? x[1] : x[0];
    const double batch = batch_first ? x[0] : x[1];
    GraphNode& made = call.made;
    made.groups = r[0];
    made.n = r[2];
    made.k = x[2];
    made.m = batch;
    made.steps = steps;
    made.gates = call.node.type == "LSTM" ? 4 : call.node.type == "GRU" ? 3 : 1;
    if (r[1] != made.gates * made.n) {
        call.fail(fmt::format("has a weight of {:.0f} x {:.0f} for {:.0f} gates", r[1], r[2],
                              made.gates));
        return;
    }
    call.give(batch_first ? std::vector<double>{batch, steps, r[0], r[2]}
                          : std::vector<double>{steps, r[0], batch, r[2]});
    for (std::size_t i = 1; i < call.out.size(); ++i) {
        call.give(batch_first ? std::vector<double>{batch, r[0], r[2]}
                              : std::vector<double>{r[0], batch, r[2]},
                  i);
    }
}

/// Fused attention: of com.microsoft with the product of its own weight, or of queries, keys and
/// values [samples, positions, channels] or [samples, heads, positions, channels]. What was kept of
/// earlier positions is attended too, and given back with the new ones.
void rule_attention(Call& call) {
    std::vector<double> query = call.sides(0);
    if (!call.problem.empty()) {
        return;
    }
    GraphNode& made = call.made;
    const bool grouped = call.node.type == "GroupQueryAttention";
    made.groups = std::max(1.0, call.node.number("num_heads", call.node.number("q_num_heads", 1)));
    if (query.size() != 3 && query.size() != 4) {
        call.fail(fmt::format("reads queries of {} sides, expected 3 or 4", query.size()));
        return;
    }
    made.steps = query[query.size() - 2];
    const double kv_heads = std::max(1.0, call.node.number("kv_num_heads", made.groups));
    if (call.node.type == "Attention" && call.has(1) && call.in[1]->weight) {
        const std::vector<double>& weight = call.sides(1);
        if (weight.size() != 2 || weight[0] != query[2]) {
            call.fail("does not go with its weight");
            return;
        }
        made.m = query[0] * query[1];
        made.k = weight[0];
        made.n = weight[1];
        query[2] = weight[1] / 3;
    } else if (call.has(1) && call.in[1]->sides.size() == query.size()) {
        made.steps = call.in[1]->sides[query.size() - 2];
        if (query.size() == 4) {
            made.groups = query[1];
        }
        if (call.has(2) && call.in[2]->sides.size() == query.size() && !grouped) {
            const double values = call.in[2]->sides.back();
            query.back() = query.size() == 4 ? values : values / kv_heads * made.groups;
        }
    } else if (grouped) {  // queries, keys and values in one
        query.back() *= made.groups / (made.groups + 2 * kv_heads);
    }
    call.give(query);
    const std::size_t past = grouped ? 3 : call.node.type == "MultiHeadAttention" ? 6 : 4;
    const double fresh = made.steps;
    for (std::size_t i = 1; i < std::max<std::size_t>(3, call.out.size()); ++i) {
        const Known* cache = i < 3 ? call.input(past + i - 1) : nullptr;
        std::vector<double> whole = cache != nullptr ? cache->sides : query;
        if (cache != nullptr && whole.size() >= 4) {
            whole[whole.size() - 2] += fresh;
            made.steps = whole[whole.size() - 2];
        }
        call.give(std::move(whole), i);
    }
}

}  // namespace ridgeline::onnx
