// The operators that are known, by the type that a node states: ai.onnx, and those of com.microsoft
// that its optimizer writes.
#include "data/onnx/rules.h"

#include <algorithm>
#include <utility>

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
    const std::vector<char> gone = axes.empty() ? std::vector<char>(from.size(), 1)
                                                : call.marked(axes, from.size());
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
    call.give({boxes[0], map[1], call.node.number("output_height", 1),
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

/// The types of operators that one rule shapes, a row for each work and rule.
constexpr std::pair<std::string_view, RuleOfType> table[] = {
    {"Conv FusedConv ConvInteger QLinearConv", {convolution, rule_convolution}},
    {"ConvTranspose", {transposed, rule_transposed}},
    {"MatMul FusedMatMul MatMulInteger QLinearMatMul", {product, rule_matrix_product}},
    {"Gemm FusedGemm", {product, rule_gemm}},
    {"MatMulNBits", {product, rule_quantized_product}},
    {"Einsum", {product, rule_einsum}},
    {"LSTM GRU RNN", {recurrent, rule_recurrent}},
    {"Attention MultiHeadAttention GroupQueryAttention", {attention, rule_attention}},
    {"BatchNormalization", {batch_norm, first_alone}},
    {"LayerNormalization InstanceNormalization GroupNormalization RMSNormalization"
     " SimplifiedLayerNormalization",
     {norm, first_alone}},
    {"SkipLayerNormalization SkipSimplifiedLayerNormalization", {norm, skip_norm}},
    {"MeanVarianceNormalization LpNormalization LRN", {norm, same}},
    {"Softmax LogSoftmax Hardmax", {softmax, same}},
    {"Relu Sigmoid Tanh", {relu, same}},  // sigmoid and tanh keep their output, as it does
    {"LeakyRelu PRelu Elu Selu Celu ThresholdedRelu HardSigmoid HardSwish Gelu"
     " FastGelu QuickGelu BiasGelu Mish Swish Softplus Softsign Shrink Erf Exp Log"
     " Sqrt Reciprocal Abs Sin Cos Tan Atan Clip",
     {smooth, same}},
    {"Pow", {smooth, joined}},
    {"Neg Floor Ceil Round Sign Not IsNaN IsInf CumSum Trilu RotaryEmbedding"
     " ScatterElements ScatterND Scatter RandomNormalLike RandomUniformLike"
     " EyeLike",
     {copy, same}},
    {"Cast", {copy, cast}},
    {"CastLike DequantizeLinear", {copy, dequantized}},
    {"QuantizeLinear", {copy, quantized}},
    {"DynamicQuantizeLinear", {copy, first_alone}},
    {"Dropout", {view, dropped}},
    {"Identity", {view, same}},
    {"Add Sub Sum Mean Min Max Mod BiasAdd", {add, joined}},
    {"Where", {add, chosen}},
    {"And Or Xor Equal Less Greater LessOrEqual GreaterOrEqual", {add, compared}},
    {"Mul Div", {multiply, joined}},
    {"MaxPool", {max_pool, rule_pool}},
    {"AveragePool LpPool", {average_pool, rule_pool}},
    {"GlobalAveragePool GlobalMaxPool GlobalLpPool", {reduction, rule_global_pool}},
    {"ReduceSum ReduceMean ReduceMax ReduceMin ReduceProd ReduceL1 ReduceL2"
     " ReduceLogSum ReduceLogSumExp ReduceSumSquare ArgMax ArgMin",
     {reduction, reduced}},
    {"TopK", {copy, best}},
    {"NonMaxSuppression", {copy, suppressed}},
    {"RoiAlign", {copy, aligned}},
    {"OneHot", {copy, one_hot}},
    {"Concat", {concatenate, rule_concatenate}},
    {"Split", {copy, rule_split}},
    {"Slice", {copy, rule_slice}},
    {"Pad", {copy, rule_pad}},
    {"Tile", {copy, rule_tile}},
    {"Expand", {copy, rule_expand}},
    {"Transpose", {copy, rule_transpose}},
    {"DepthToSpace", {copy, rule_depth_to_space}},
    {"SpaceToDepth", {copy, rule_space_to_depth}},
    {"Resize Upsample", {resize, rule_resize}},
    {"Gather", {look_up, rule_gather}},
    {"GatherElements", {look_up, rule_gather_elements}},
    {"GatherND", {look_up, rule_gather_nd}},
    {"EmbedLayerNormalization", {look_up, embedded}},
    {"Reshape", {view, rule_reshape}},
    {"Flatten", {view, rule_flatten}},
    {"Squeeze", {view, rule_squeeze}},
    {"Unsqueeze", {view, rule_unsqueeze}},
    {"Shape Size", {view, shape_of}},
    {"Constant", {view, constant}},
    {"ConstantOfShape", {view, filled}},
    {"Range", {view, counted}},
    {"RandomNormal RandomUniform", {copy, made_of_attribute}},
    {"Loop If Scan", {subgraph, nullptr}},
};

}  // namespace

const RuleOfType* rule_named(std::string_view type) {
    for (const auto& [types, rule] : table) {
        for (std::size_t at = types.find(type); at != std::string_view::npos;
             at = types.find(type, at + 1)) {
            const std::size_t end = at + type.size();
            if ((at == 0 || types[at - 1] == ' ') && (end == types.size() || types[end] == ' ')) {
                return &rule;
            }
        }
    }
    return nullptr;
}

}  // namespace ridgeline::onnx
