// The operators that are known, by the type that a node states: ai.onnx, and those of com.microsoft
// that its optimizer writes.
#include "data/onnx/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ridgeline::onnx {
namespace {

using enum GraphWork;

void same(Call& call) {
    const std::vector<double> sides = call.sides(0);
    for (std::size_t i = 0; i < call.out.size(); ++i) {
        call.give(sides, i);
    }
}

/// As `same`; further outputs are statistics of no size worth counting.
void first_alone(Call& call) {
    const std::vector<double> sides = call.sides(0);
    call.give(sides);
    for (std::size_t i = 1; i < call.out.size(); ++i) {
        call.give({1}, i);
    }
}

/// LayerNormalization of a sum: the sum is the fourth output.
void skip_norm(Call& call) {
    first_alone(call);
    if (call.out.size() > 3) {
        call.give(call.sides(0), 3);
    }
}

/// A mask has one byte an element.
void dropped(Call& call) {
    same(call);
    if (call.out.size() > 1) {
        call.out[1].type = static_cast<int>(Element::boolean);
    }
}

void cast(Call& call) {
    same(call);
    if (!call.out.empty()) {
        call.out[0].type = static_cast<int>(call.node.number("to", 1));
    }
}

void dequantized(Call& call) {
    same(call);
    call.out[0].type = call.has(1) ? call.in[1]->type : 1;
}

void quantized(Call& call) {
    same(call);
    call.out[0].type = call.has(2) ? call.in[2]->type : static_cast<int>(Element::uint8);
}

void joined(Call& call) {
    std::vector<double> sides = call.sides(0);
    for (std::size_t i = 1; i < call.in.size() && call.problem.empty(); ++i) {
        if (call.has(i)) {
            sides = broadcast(call, sides, call.sides(i));
        }
    }
    call.give(std::move(sides));
}

void compared(Call& call) {
    joined(call);
    call.out[0].type = static_cast<int>(Element::boolean);
}

void chosen(Call& call) {
    joined(call);
    if (call.has(1)) {
        call.out[0].type = call.in[1]->type;
    }
}

void reduced(Call& call) {
    const std::vector<double> from = call.sides(0);
    const bool one = call.node.type.starts_with("Arg");
    std::vector<double> axes =
        one ? std::vector<double>{call.node.number("axis", 0)} : call.numbers("axes", 1);
    const bool keeps = call.node.number("keepdims", 1) != 0;
    if (axes.empty() && call.node.number("noop_with_empty_axes", 0) != 0) {
        call.give(from);
        return;
    }
    std::vector<char> gone(from.size(), axes.empty() ? 1 : 0);
    for (const double axis : axes) {
        const std::size_t at = call.axis(axis, from.size());
        if (at < gone.size()) {
            gone[at] = 1;
        }
    }
    std::vector<double> to;
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (gone[i] == 0) {
            to.push_back(from[i]);
        } else if (keeps) {
            to.push_back(1);
        }
    }
    call.give(std::move(to));
    if (one) {
        call.out[0].type = static_cast<int>(Element::int64);
    }
}

void shape_of(Call& call) {
    const std::vector<double> from = call.sides(0);
    if (call.node.type == "Size") {
        call.give({});
        call.out[0].values = std::vector<double>{call.has(0) ? call.in[0]->elements() : 0};
    } else {
        const auto rank = static_cast<double>(from.size());
        const auto place = [rank](double stated) {
            return static_cast<std::ptrdiff_t>(
                std::clamp(stated < 0 ? stated + rank : stated, 0.0, rank));
        };
        const auto first = place(call.node.number("start", 0));
        const auto last = std::max(first, place(call.node.number("end", rank)));
        call.out[0].values = std::vector<double>(from.begin() + first, from.begin() + last);
        call.give({static_cast<double>(last - first)});
    }
    call.out[0].type = static_cast<int>(Element::int64);
}

void constant(Call& call) {
    Known& out = call.out[0];
    for (const Attribute& each : call.node.attributes) {
        if (each.name == "value") {
            out.type = each.tensor.type;
            out.sides = each.tensor.sides;
            if (!each.tensor.values.empty() || out.elements() == 0) {
                out.values = each.tensor.values;
            }
        } else if (each.name == "value_int" || each.name == "value_float") {
            out.type =
                static_cast<int>(each.name == "value_int" ? Element::int64 : Element::float32);
            out.values = std::vector<double>{each.name == "value_int" ? each.i : each.f};
        } else if (each.name == "value_ints" || each.name == "value_floats") {
            out.type =
                static_cast<int>(each.name == "value_ints" ? Element::int64 : Element::float32);
            out.values = each.ints;
            out.sides = {static_cast<double>(each.ints.size())};
        }
    }
    out.shaped = true;
    out.weight = true;
    out.parameters = is_floating(out.type) && out.elements() > 1 ? out.elements() : 0;
}

void filled(Call& call) {
    const std::vector<double>* sides = call.values(0);
    if (sides == nullptr) {
        call.fail("takes a shape that values decide");
        return;
    }
    call.give(*sides);
    const Attribute* value = call.node.attribute("value");
    call.out[0].type = value != nullptr ? value->tensor.type : 1;
    call.out[0].parameters = is_floating(call.out[0].type) ? call.out[0].elements() : 0;
}

void counted(Call& call) {
    const std::vector<double>* start = call.values(0);
    const std::vector<double>* end = call.values(1);
    const std::vector<double>* step = call.values(2);
    if (start == nullptr || end == nullptr || step == nullptr || start->empty() || end->empty() ||
        step->empty() || step->front() == 0) {
        call.fail("counts to what values decide");
        return;
    }
    call.give({std::max(0.0, std::ceil((end->front() - start->front()) / step->front()))});
}

void best(Call& call) {
    std::vector<double> sides = call.sides(0);
    const std::size_t axis = call.axis(call.node.number("axis", -1), sides.size());
    const std::vector<double> count = call.numbers("k", 1);
    if (!call.problem.empty()) {
        return;
    }
    sides[axis] = count.empty() ? sides[axis] : std::min(sides[axis], count.front());
    call.give(sides);
    if (call.out.size() > 1) {
        call.give(sides, 1);
        call.out[1].type = static_cast<int>(Element::int64);
    }
}

void one_hot(Call& call) {
    std::vector<double> sides = call.sides(0);
    const std::vector<double>* depth = call.values(1);
    if (depth == nullptr || depth->empty()) {
        call.fail("is as deep as values decide");
        return;
    }
    const double stated = call.node.number("axis", -1);
    const std::size_t at = call.axis(stated, sides.size() + 1);
    sides.insert(sides.begin() + static_cast<std::ptrdiff_t>(std::min(at, sides.size())),
                 depth->front());
    call.give(std::move(sides));
    call.out[0].type = call.has(2) ? call.in[2]->type : 1;
}

/// At most as many boxes as it is asked for of each class and sample.
void suppressed(Call& call) {
    const std::vector<double> scores = call.sides(1);
    const std::vector<double>* most = call.values(2);
    if (scores.size() != 3) {
        call.fail("expected scores of three sides");
        return;
    }
    const double asked =
        most != nullptr && !most->empty() ? std::min(most->front(), scores[2]) : scores[2];
    call.give({scores[0] * scores[1] * asked, 3});
    call.out[0].type = static_cast<int>(Element::int64);
}

void aligned(Call& call) {
    const std::vector<double> map = call.sides(0);
    const std::vector<double> boxes = call.sides(1);
    if (map.size() != 4 || boxes.empty()) {
        call.fail("expected a map of four sides and boxes");
        return;
    }
    call.give({boxes[0],
               map[1],
               call.node.number("output_height", 1),
               call.node.number("output_width", 1)});
}

void made_of_attribute(Call& call) {
    const Attribute* shape = call.node.attribute("shape");
    call.give(shape != nullptr ? shape->ints : std::vector<double>{1});
    call.out[0].type = 1;
}

/// Words, positions and kinds of a BERT, looked up and added.
void embedded(Call& call) {
    std::vector<double> sides = call.sides(0);
    const std::vector<double> table = call.sides(2);
    if (table.size() == 2) {
        sides.push_back(table[1]);
    }
    call.give(sides);
    call.out[0].type = call.has(2) ? call.in[2]->type : 1;
    for (std::size_t i = 1; i < call.out.size(); ++i) {
        call.give({sides.empty() ? 1 : sides[0]}, i);
    }
}

constexpr std::array table = {
    NamedRule{"Conv", convolution, rule_convolution},
    NamedRule{"FusedConv", convolution, rule_convolution},
    NamedRule{"ConvInteger", convolution, rule_convolution},
    NamedRule{"QLinearConv", convolution, rule_convolution},
    NamedRule{"ConvTranspose", transposed, rule_transposed},
    NamedRule{"MatMul", product, rule_matrix_product},
    NamedRule{"FusedMatMul", product, rule_matrix_product},
    NamedRule{"MatMulInteger", product, rule_matrix_product},
    NamedRule{"QLinearMatMul", product, rule_matrix_product},
    NamedRule{"Gemm", product, rule_gemm},
    NamedRule{"FusedGemm", product, rule_gemm},
    NamedRule{"MatMulNBits", product, rule_quantized_product},
    NamedRule{"Einsum", product, rule_einsum},
    NamedRule{"LSTM", recurrent, rule_recurrent},
    NamedRule{"GRU", recurrent, rule_recurrent},
    NamedRule{"RNN", recurrent, rule_recurrent},
    NamedRule{"Attention", attention, rule_attention},
    NamedRule{"MultiHeadAttention", attention, rule_attention},
    NamedRule{"GroupQueryAttention", attention, rule_attention},
    NamedRule{"BatchNormalization", batch_norm, first_alone},
    NamedRule{"LayerNormalization", norm, first_alone},
    NamedRule{"InstanceNormalization", norm, first_alone},
    NamedRule{"GroupNormalization", norm, first_alone},
    NamedRule{"RMSNormalization", norm, first_alone},
    NamedRule{"SimplifiedLayerNormalization", norm, first_alone},
    NamedRule{"SkipLayerNormalization", norm, skip_norm},
    NamedRule{"SkipSimplifiedLayerNormalization", norm, skip_norm},
    NamedRule{"MeanVarianceNormalization", norm, same},
    NamedRule{"LpNormalization", norm, same},
    NamedRule{"LRN", norm, same},
    NamedRule{"Softmax", softmax, same},
    NamedRule{"LogSoftmax", softmax, same},
    NamedRule{"Hardmax", softmax, same},
    NamedRule{"Relu", relu, same},
    NamedRule{"Sigmoid", relu, same},  // as tanh, it keeps its output
    NamedRule{"Tanh", relu, same},
    NamedRule{"LeakyRelu", smooth, same},
    NamedRule{"PRelu", smooth, same},
    NamedRule{"Elu", smooth, same},
    NamedRule{"Selu", smooth, same},
    NamedRule{"Celu", smooth, same},
    NamedRule{"ThresholdedRelu", smooth, same},
    NamedRule{"HardSigmoid", smooth, same},
    NamedRule{"HardSwish", smooth, same},
    NamedRule{"Gelu", smooth, same},
    NamedRule{"FastGelu", smooth, same},
    NamedRule{"QuickGelu", smooth, same},
    NamedRule{"BiasGelu", smooth, same},
    NamedRule{"Mish", smooth, same},
    NamedRule{"Swish", smooth, same},
    NamedRule{"Softplus", smooth, same},
    NamedRule{"Softsign", smooth, same},
    NamedRule{"Shrink", smooth, same},
    NamedRule{"Erf", smooth, same},
    NamedRule{"Exp", smooth, same},
    NamedRule{"Log", smooth, same},
    NamedRule{"Sqrt", smooth, same},
    NamedRule{"Reciprocal", smooth, same},
    NamedRule{"Abs", smooth, same},
    NamedRule{"Sin", smooth, same},
    NamedRule{"Cos", smooth, same},
    NamedRule{"Tan", smooth, same},
    NamedRule{"Atan", smooth, same},
    NamedRule{"Pow", smooth, joined},
    NamedRule{"Clip", smooth, same},
    NamedRule{"Neg", copy, same},
    NamedRule{"Floor", copy, same},
    NamedRule{"Ceil", copy, same},
    NamedRule{"Round", copy, same},
    NamedRule{"Sign", copy, same},
    NamedRule{"Not", copy, same},
    NamedRule{"IsNaN", copy, same},
    NamedRule{"IsInf", copy, same},
    NamedRule{"CumSum", copy, same},
    NamedRule{"Trilu", copy, same},
    NamedRule{"Cast", copy, cast},
    NamedRule{"CastLike", copy, dequantized},
    NamedRule{"QuantizeLinear", copy, quantized},
    NamedRule{"DynamicQuantizeLinear", copy, first_alone},
    NamedRule{"DequantizeLinear", copy, dequantized},
    NamedRule{"RotaryEmbedding", copy, same},
    NamedRule{"Dropout", view, dropped},
    NamedRule{"Identity", view, same},
    NamedRule{"Add", add, joined},
    NamedRule{"Sub", add, joined},
    NamedRule{"Sum", add, joined},
    NamedRule{"Mean", add, joined},
    NamedRule{"Min", add, joined},
    NamedRule{"Max", add, joined},
    NamedRule{"Mod", add, joined},
    NamedRule{"Where", add, chosen},
    NamedRule{"And", add, compared},
    NamedRule{"Or", add, compared},
    NamedRule{"Xor", add, compared},
    NamedRule{"Equal", add, compared},
    NamedRule{"Less", add, compared},
    NamedRule{"Greater", add, compared},
    NamedRule{"LessOrEqual", add, compared},
    NamedRule{"GreaterOrEqual", add, compared},
    NamedRule{"BiasAdd", add, joined},
    NamedRule{"Mul", multiply, joined},
    NamedRule{"Div", multiply, joined},
    NamedRule{"MaxPool", max_pool, rule_pool},
    NamedRule{"AveragePool", average_pool, rule_pool},
    NamedRule{"LpPool", average_pool, rule_pool},
    NamedRule{"GlobalAveragePool", reduction, rule_global_pool},
    NamedRule{"GlobalMaxPool", reduction, rule_global_pool},
    NamedRule{"GlobalLpPool", reduction, rule_global_pool},
    NamedRule{"ReduceSum", reduction, reduced},
    NamedRule{"ReduceMean", reduction, reduced},
    NamedRule{"ReduceMax", reduction, reduced},
    NamedRule{"ReduceMin", reduction, reduced},
    NamedRule{"ReduceProd", reduction, reduced},
    NamedRule{"ReduceL1", reduction, reduced},
    NamedRule{"ReduceL2", reduction, reduced},
    NamedRule{"ReduceLogSum", reduction, reduced},
    NamedRule{"ReduceLogSumExp", reduction, reduced},
    NamedRule{"ReduceSumSquare", reduction, reduced},
    NamedRule{"ArgMax", reduction, reduced},
    NamedRule{"ArgMin", reduction, reduced},
    NamedRule{"TopK", copy, best},
    NamedRule{"NonMaxSuppression", copy, suppressed},
    NamedRule{"RoiAlign", copy, aligned},
    NamedRule{"OneHot", copy, one_hot},
    NamedRule{"Concat", concatenate, rule_concatenate},
    NamedRule{"Split", copy, rule_split},
    NamedRule{"Slice", copy, rule_slice},
    NamedRule{"Pad", copy, rule_pad},
    NamedRule{"Tile", copy, rule_tile},
    NamedRule{"Expand", copy, rule_expand},
    NamedRule{"Transpose", copy, rule_transpose},
    NamedRule{"DepthToSpace", copy, rule_depth_to_space},
    NamedRule{"SpaceToDepth", copy, rule_space_to_depth},
    NamedRule{"Resize", resize, rule_resize},
    NamedRule{"Upsample", resize, rule_resize},
    NamedRule{"Gather", look_up, rule_gather},
    NamedRule{"GatherElements", look_up, rule_gather_elements},
    NamedRule{"GatherND", look_up, rule_gather_nd},
    NamedRule{"ScatterElements", copy, same},
    NamedRule{"ScatterND", copy, same},
    NamedRule{"Scatter", copy, same},
    NamedRule{"EmbedLayerNormalization", look_up, embedded},
    NamedRule{"Reshape", view, rule_reshape},
    NamedRule{"Flatten", view, rule_flatten},
    NamedRule{"Squeeze", view, rule_squeeze},
    NamedRule{"Unsqueeze", view, rule_unsqueeze},
    NamedRule{"Shape", view, shape_of},
    NamedRule{"Size", view, shape_of},
    NamedRule{"Constant", view, constant},
    NamedRule{"ConstantOfShape", view, filled},
    NamedRule{"Range", view, counted},
    NamedRule{"RandomNormal", copy, made_of_attribute},
    NamedRule{"RandomUniform", copy, made_of_attribute},
    NamedRule{"RandomNormalLike", copy, same},
    NamedRule{"RandomUniformLike", copy, same},
    NamedRule{"EyeLike", copy, same},
    NamedRule{"Loop", subgraph, nullptr},
    NamedRule{"If", subgraph, nullptr},
    NamedRule{"Scan", subgraph, nullptr},
};

}  // namespace

const std::vector<double>& Call::sides(std::size_t at) {
    static const std::vector<double> none;
    const Known* known = input(at);
    if (known == nullptr) {
        fail(fmt::format("lacks input {}", at + 1));
        return none;
    }
    return known->sides;
}

const std::vector<double>* Call::values(std::size_t at) const {
    const Known* known = input(at);
    return known != nullptr && known->values ? &*known->values : nullptr;
}

std::vector<double> Call::numbers(std::string_view attribute, std::size_t at) const {
    if (const Attribute* found = node.attribute(attribute)) {
        return found->ints.empty() && attribute == "k" ? std::vector<double>{found->i}
                                                       : found->ints;
    }
    const std::vector<double>* found = values(at);
    return found != nullptr ? *found : std::vector<double>();
}

std::size_t Call::axis(double stated, std::size_t rank) {
    const double at = stated < 0 ? stated + static_cast<double>(rank) : stated;
    if (!(at >= 0 && at < static_cast<double>(rank))) {
        fail(fmt::format("names axis {:.0f} of {}", stated, rank));
        return rank;
    }
    return static_cast<std::size_t>(at);
}

void Call::give(std::vector<double> sides, std::size_t at) {
    if (at >= out.size()) {
        return;
    }
    out[at].sides = std::move(sides);
    out[at].shaped = true;
    if (out[at].type == 0 && has(0)) {
        out[at].type = in[0]->type;
    }
}

const NamedRule* rule_named(std::string_view type) {
    const auto found = std::find_if(
        table.begin(), table.end(), [type](const auto& row) { return row.type == type; });
    return found == table.end() ? nullptr : &*found;
}

std::vector<double> broadcast(Call& call,
                              const std::vector<double>& a,
                              const std::vector<double>& b) {
    const auto& wide = a.size() >= b.size() ? a : b;
    const auto& narrow = a.size() >= b.size() ? b : a;
    std::vector<double> out = wide;
    const std::size_t shift = wide.size() - narrow.size();
    for (std::size_t i = 0; i < narrow.size(); ++i) {
        double& side = out[i + shift];
        if (side != narrow[i] && side != 1 && narrow[i] != 1) {
            call.fail(fmt::format("joins [{}] and [{}]", fmt::join(a, ", "), fmt::join(b, ", ")));
            return {};
        }
        side = side == 1 ? narrow[i] : side;
    }
    return out;
}

}  // namespace ridgeline::onnx
