// Graphs of ONNX: those that PyTorch exported (tests/data/graphs), and hostile ones written here.
#include "base/text.h"
#include "data/load_onnx.h"
#include "estimate/families/families.h"
#include "spec/graph.h"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <string>
#include <vector>

using namespace ridgeline;

namespace {

/// A message of protocol buffers, field by field.
struct Message {
    std::string bytes;

    void varint(std::uint64_t value) {
        for (; value >= 0x80; value >>= 7) {
            bytes += static_cast<char>(value | 0x80);
        }
        bytes += static_cast<char>(value);
    }
    Message& number(int field, std::uint64_t value) {
        varint(static_cast<std::uint64_t>(field) << 3);
        varint(value);
        return *this;
    }
    Message& text(int field, const std::string& value) {
        varint(static_cast<std::uint64_t>(field) << 3 | 2);
        varint(value.size());
        bytes += value;
        return *this;
    }
    Message& part(int field, const Message& value) { return text(field, value.bytes); }
};

/// ValueInfoProto of a float tensor; a side of 0 is open and has a name.
Message value(const std::string& name, const std::vector<std::uint64_t>& sides) {
    Message shape;
    for (const std::uint64_t side : sides) {
        Message dim;
        shape.part(1, side > 0 ? dim.number(1, side) : dim.text(2, "open"));
    }
    return Message().text(1, name).part(2,
                                        Message().part(1, Message().number(1, 1).part(2, shape)));
}

Message node(const std::string& type, const std::vector<std::string>& inputs,
             const std::vector<std::string>& outputs, const std::vector<Message>& attributes = {}) {
    Message out;
    for (const std::string& name : inputs) {
        out.text(1, name);
    }
    for (const std::string& name : outputs) {
        out.text(2, name);
    }
    out.text(3, "the " + type).text(4, type);
    for (const Message& attribute : attributes) {
        out.part(5, attribute);
    }
    return out;
}

/// TensorProto of floats whose payload is left out.
Message weight(const std::string& name, const std::vector<std::uint64_t>& sides) {
    Message out;
    std::uint64_t elements = 1;
    for (const std::uint64_t side : sides) {
        out.number(1, side);
        elements *= side;
    }
    return out.number(2, 1).text(8, name).text(9, std::string(4 * elements, '\0'));
}

/// TensorProto of whole numbers.
Message numbers(const std::string& name, const std::vector<std::int64_t>& values) {
    Message out = Message().number(1, values.size()).number(2, 7).text(8, name);
    for (const std::int64_t each : values) {
        out.number(7, static_cast<std::uint64_t>(each));
    }
    return out;
}

/// AttributeProto of a whole number, of several, or of a text.
Message whole(const std::string& name, std::int64_t value) {
    return Message().text(1, name).number(3, static_cast<std::uint64_t>(value)).number(20, 2);
}

Message wholes(const std::string& name, const std::vector<std::int64_t>& values) {
    Message out = Message().text(1, name).number(20, 7);
    for (const std::int64_t each : values) {
        out.number(8, static_cast<std::uint64_t>(each));
    }
    return out;
}

Message words(const std::string& name, const std::string& value) {
    return Message().text(1, name).text(4, value).number(20, 3);
}

std::string model(const Message& graph) { return Message().number(1, 8).part(7, graph).bytes; }

Result<Architecture> read_onnx(const std::string& bytes,
                               const std::vector<GivenShape>& shapes = {}) {
    return onnx_from_text(bytes, "g.onnx", shapes);
}

std::string refused(const std::string& bytes, const std::vector<GivenShape>& shapes = {}) {
    const auto found = read_onnx(bytes, shapes);
    if (found) {
        return "accepted";
    }
    BOOST_TEST((found.error().kind == ErrorKind::input));
    return found.error().text();
}

Result<Architecture> kept(const std::string& name, const std::vector<GivenShape>& shapes = {}) {
    return load_onnx(std::string(RIDGELINE_SOURCE_DIR "/tests/data/graphs/") + name, shapes);
}

/// A training step of a graph at one sample.
Program program(const Architecture& architecture, int samples = 1) {
    Workload workload;
    workload.compute = ComputeType::fp32;
    workload.batch.micro = samples;
    return program_of(architecture, workload, SoftwareProfile{});
}

double flops(const Program& program) {
    double sum = 0;
    for (const Block& block : program.models[0].blocks) {
        for (const Operator& op : block.operators) {
            sum += op.forward.base();
        }
    }
    return sum;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(onnx_graphs)

BOOST_AUTO_TEST_CASE(a_convolution_by_hand) {
    Message graph;
    graph.part(1, node("Conv", {"x", "w"}, {"y"}))
        .part(5, weight("w", {8, 3, 3, 3}))
        .part(11, value("x", {0, 3, 32, 32}))
        .part(12, value("y", {0, 8, 30, 30}));
    const auto read_graph = read_onnx(model(graph));
    BOOST_REQUIRE(read_graph);
    BOOST_TEST(read_graph->graph->parameters == 8 * 3 * 3 * 3);
    BOOST_TEST(read_graph->graph->samples == 1);
    // 30 x 30 positions, 8 filters, 27 taps, 2 a multiply-accumulate; twice as much for two.
    BOOST_TEST(flops(program(*read_graph)) == 2.0 * 900 * 8 * 27);
    BOOST_TEST(flops(program(*read_graph, 2)) == 2.0 * 2 * 900 * 8 * 27);
}

BOOST_AUTO_TEST_CASE(a_given_shape_wins_and_sets_the_batch) {
    Message graph;
    graph.part(1, node("Conv", {"x", "w"}, {"y"}))
        .part(5, weight("w", {8, 3, 3, 3}))
        .part(11, value("x", {0, 3, 32, 32}));
    const auto large = read_onnx(model(graph), {{"x", {4, 3, 64, 64}}});
    BOOST_REQUIRE(large);
    BOOST_TEST(large->graph->samples == 4);
    BOOST_TEST(flops(program(*large)) == 2.0 * 62 * 62 * 8 * 27);
    BOOST_TEST(contains(refused(model(graph), {{"y", {4, 3, 64, 64}}}), "no input \"y\""));
    BOOST_TEST(contains(refused(model(graph), {{"x", {4, 3, 64}}}), "4 sides"));
}

BOOST_AUTO_TEST_CASE(graphs_of_pytorch_have_its_parameters) {
    // Convolutions 216 + 8 (the folded norm), 8 x 9 + 8, 8 x 4 x 4 + 4, linear 4 x 10 + 10.
    const auto traced = kept("convolutional_traced.onnx");
    BOOST_REQUIRE(traced);
    BOOST_TEST(traced->graph->parameters == 486);
    const auto exported = kept("convolutional_exported.onnx");
    BOOST_REQUIRE(exported);
    BOOST_TEST(flops(program(*exported)) == flops(program(*traced)));
    // Table 160, attention 192 + 24 and 64 + 8, feed-forward 144 and 136, norms 32, head 180. An
    // exporter adds single numbers: scales.
    const auto attention = kept("attention_traced.onnx", {{"x", {2, 7}}});
    BOOST_REQUIRE(attention);
    BOOST_TEST(attention->graph->parameters >= 940);
    BOOST_TEST(attention->graph->parameters <= 940 + 20);
    BOOST_TEST(attention->graph->unknown.empty());
    BOOST_TEST(kept("attention_exported.onnx").has_value());
    // Each direction 24 x 4 + 24 x 6 + 48; linear 12 x 5 + 5.
    const auto recurrent = kept("recurrent_traced.onnx", {{"x", {1, 7, 4}}});
    BOOST_REQUIRE(recurrent);
    BOOST_TEST(recurrent->graph->parameters >= 641);
    // Two directions of 7 steps of 24 x (4 + 6), then 5 x 12 of each step.
    BOOST_TEST(flops(program(*recurrent)) == 2.0 * (2 * 7 * 24 * (4 + 6) + 7 * 5 * 12));
    BOOST_TEST(kept("recurrent_exported.onnx").has_value());
    BOOST_TEST(contains(kept("recurrent_traced.onnx").error().text(), "--shape x=1x"));
}

BOOST_AUTO_TEST_CASE(an_unknown_operator_is_listed_and_streams) {
    Message graph;
    graph.part(1, node("Frobnicate", {"x"}, {"y"}))
        .part(1, node("Relu", {"y"}, {"z"}))
        .part(11, value("x", {1, 100}));
    const auto found = read_onnx(model(graph));
    BOOST_REQUIRE(found);
    BOOST_REQUIRE(found->graph->unknown.size() == 1);
    BOOST_TEST(found->graph->unknown[0].first == "Frobnicate");
    // Reads 400 bytes and writes 400.
    BOOST_TEST(program(*found).models[0].blocks[0].operators[0].forward_traffic.base() == 800);
}

BOOST_AUTO_TEST_CASE(shapes_that_operators_compute_are_worked_out) {
    Message zero;
    zero.number(2, 7).text(8, "zero").text(9, std::string(8, '\0')).number(1, 1);
    Message rest;
    rest.number(1, 1).number(2, 7).text(8, "rest").text(9, std::string(8, '\xFF'));
    const Message axis = Message().text(1, "axis").number(3, 0).number(20, 2);
    Message graph;
    graph.part(1, node("Shape", {"x"}, {"s"}))
        .part(1, node("Gather", {"s", "zero"}, {"n"}, {axis}))
        .part(1, node("Concat", {"n", "rest"}, {"to"}, {axis}))
        .part(1, node("Reshape", {"x", "to"}, {"y"}))
        .part(5, zero)
        .part(5, rest)
        .part(11, value("x", {0, 3, 4, 5}));
    const auto found = read_onnx(model(graph), {{"x", {6, 3, 4, 5}}});
    BOOST_REQUIRE(found);
    BOOST_TEST(found->graph->nodes.size() == 1);
    const GraphTensor& last =
        found->graph->tensors[static_cast<std::size_t>(found->graph->nodes[0].outputs[0])];
    BOOST_TEST(last.sides == (std::vector<double>{6, 60}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(operators_give_the_sides_that_their_pages_state) {
    // Sides of the inputs x0, x1, ... (an empty list: absent), whole numbers as inputs after them,
    // attributes, sides of the outputs, FLOP forward of a sample: what the page of each operator
    // says.
    using Sides = std::vector<std::uint64_t>;
    struct Row {
        const char* type;
        std::vector<Sides> inputs;
        std::vector<std::vector<std::int64_t>> given;
        std::vector<Message> attributes;
        std::vector<std::vector<double>> outputs;
        double flops = 0;
    };
    // clang-format off
    const std::vector<Row> rows = {
        {"Einsum", {{2, 3, 4}, {2, 4, 5}}, {}, {words("equation", "bij, bjk -> bik")}, {{2, 3, 5}}, 2.0 * 3 * 4 * 5},
        {"MatMulNBits", {{1, 6, 32}, {64, 2, 8}}, {}, {whole("K", 32), whole("N", 64)}, {{1, 6, 64}}, 2.0 * 6 * 32 * 64},
        {"Split", {{1, 7, 2}}, {}, {whole("axis", 1)}, {{1, 3, 2}, {1, 3, 2}, {1, 1, 2}}},
        {"Split", {{1, 7, 2}}, {{2, 5}}, {whole("axis", -2)}, {{1, 2, 2}, {1, 5, 2}}},
        {"Expand", {{3, 1}}, {{2, 1, 4}}, {}, {{2, 3, 4}}},
        {"Tile", {{2, 3}}, {{1, 4}}, {}, {{2, 12}}},
        {"Pad", {{1, 2, 4, 4}}, {{0, 0, 1, 2, 0, 0, 3, 4}}, {}, {{1, 2, 8, 10}}},
        {"Resize", {{1, 2, 4, 6}, {}, {}}, {{1, 2, 8, 3}}, {}, {{1, 2, 8, 3}}},
        {"DepthToSpace", {{1, 12, 4, 5}}, {}, {whole("blocksize", 2)}, {{1, 3, 8, 10}}},
        {"SpaceToDepth", {{1, 3, 8, 10}}, {}, {whole("blocksize", 2)}, {{1, 12, 4, 5}}},
        {"GatherElements", {{4, 5}, {4, 2}}, {}, {whole("axis", 1)}, {{4, 2}}},
        {"GatherND", {{4, 5, 6}, {7, 2}}, {}, {}, {{7, 6}}},
        {"TopK", {{3, 9}}, {{2}}, {}, {{3, 2}, {3, 2}}},
        {"OneHot", {{3, 4}}, {{10}}, {}, {{3, 4, 10}}},
        {"RoiAlign", {{1, 8, 16, 16}, {5, 4}, {5}}, {}, {whole("output_height", 7), whole("output_width", 6)}, {{5, 8, 7, 6}}},
        {"NonMaxSuppression", {{1, 90, 4}, {1, 3, 90}}, {{20}}, {}, {{60, 3}}},
        {"Where", {{3, 1}, {1, 4}, {2, 1, 1}}, {}, {}, {{2, 3, 4}}},
        {"ReduceMean", {{2, 3, 4}}, {}, {wholes("axes", {-1}), whole("keepdims", 0)}, {{2, 3}}},
        {"Squeeze", {{1, 3, 1}}, {}, {wholes("axes", {0})}, {{3, 1}}},
        {"SkipLayerNormalization", {{2, 3, 8}, {2, 3, 8}, {8}}, {}, {}, {{2, 3, 8}, {1}, {1}, {2, 3, 8}}},
        // Two heads of 4 of queries, one of keys and values, 5 positions kept: twice 2 products of 3 x 4 x 8.
        {"GroupQueryAttention", {{1, 3, 16}, {}, {}, {1, 1, 5, 4}, {1, 1, 5, 4}}, {}, {whole("num_heads", 2), whole("kv_num_heads", 1)},
         {{1, 3, 8}, {1, 1, 8, 4}, {1, 1, 8, 4}}, 2.0 * 2 * 2 * 3 * 4 * 8},
        {"MultiHeadAttention", {{1, 3, 8}, {1, 7, 8}, {1, 7, 8}}, {}, {whole("num_heads", 2)}, {{1, 3, 8}}, 2.0 * 2 * 2 * 3 * 4 * 7},
        {"Attention", {{1, 2, 3, 4}, {1, 2, 5, 4}, {1, 2, 5, 6}}, {}, {}, {{1, 2, 3, 6}}},
    };
    // clang-format on
    for (const Row& row : rows) {
        Message graph;
        std::vector<std::string> inputs, outputs;
        for (const Sides& sides : row.inputs) {
            inputs.push_back(sides.empty() ? "" : "x" + std::to_string(inputs.size()));
            if (!sides.empty()) {
                graph.part(11, value(inputs.back(), sides));
            }
        }
        for (const auto& list : row.given) {
            inputs.push_back("n" + std::to_string(inputs.size()));
            graph.part(5, numbers(inputs.back(), list));
        }
        for (std::size_t i = 0; i < row.outputs.size(); ++i) {
            outputs.push_back("y" + std::to_string(i));
        }
        graph.part(1, node(row.type, inputs, outputs, row.attributes));
        BOOST_TEST_CONTEXT(row.type) {
            const auto found = read_onnx(model(graph));
            BOOST_REQUIRE_MESSAGE(found.has_value(), (found ? "" : found.error().text()));
            const GraphNetwork& made = *found->graph;
            for (std::size_t i = 0; i < row.outputs.size(); ++i) {
                const auto at = static_cast<std::size_t>(made.nodes.at(0).outputs.at(i));
                BOOST_TEST(made.tensors[at].sides == row.outputs[i],
                           boost::test_tools::per_element());
            }
            if (row.flops > 0) {
                BOOST_TEST(flops(program(*found)) == row.flops);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(hostile_graphs_are_refused_by_the_name_of_the_operator) {
    Message cycle;
    cycle.part(1, node("Add", {"x", "b"}, {"a"}))
        .part(1, node("Relu", {"a"}, {"b"}))
        .part(11, value("x", {1, 8}));
    BOOST_TEST(contains(refused(model(cycle)), "\"the Add\" (Add)"));
    BOOST_TEST(contains(refused(model(cycle)), "cycle"));

    Message huge;
    huge.part(1, node("Relu", {"x"}, {"y"})).part(11, value("x", {1'000'000'000, 1'000'000'000}));
    BOOST_TEST(contains(refused(model(huge)), "input \"x\""));

    Message many;
    many.part(1, node("Relu", {"x"}, {"y"}))
        .part(11, value("x", std::vector<std::uint64_t>(1000, 1)));
    BOOST_TEST(contains(refused(model(many)), "dimensions"));

    Message open;
    open.part(1, node("Relu", {"x"}, {"y"})).part(11, value("x", {1, 0}));
    BOOST_TEST(contains(refused(model(open)), "--shape x=1x128"));

    Message narrow;
    narrow.part(1, node("Conv", {"x", "w"}, {"y"}))
        .part(5, weight("w", {8, 4, 3, 3}))
        .part(11, value("x", {1, 3, 32, 32}));
    BOOST_TEST(contains(refused(model(narrow)), "\"the Conv\" (Conv)"));

    Message nothing;
    nothing.part(1, node("Relu", {"nowhere"}, {"y"})).part(11, value("x", {1, 8}));
    BOOST_TEST(contains(refused(model(nothing)), "reads \"nowhere\", which nothing makes"));
}

BOOST_AUTO_TEST_CASE(stored_tensors_that_lie_are_refused) {
    Message climbs;
    climbs.part(1, node("Relu", {"x"}, {"y"})).part(11, value("x", {1, 8}));
    climbs.part(5, Message().number(1, 4).number(2, 1).text(8, "w").number(14, 1).part(
                       13, Message().text(1, "location").text(2, "../../etc/passwd")));
    BOOST_TEST(contains(refused(model(climbs)), "tensor \"w\": lies in \"../../etc/passwd\""));

    Message beside = Message().number(1, 4).number(2, 1).text(8, "w").number(14, 1).part(
        13, Message().text(1, "location").text(2, "weights.bin"));
    Message stays;
    stays.part(1, node("Add", {"x", "w"}, {"y"})).part(11, value("x", {1, 4})).part(5, beside);
    BOOST_REQUIRE(read_onnx(model(stays)));  // and nobody opened weights.bin
    BOOST_TEST(read_onnx(model(stays))->graph->parameters == 4);

    Message short_one;
    short_one.part(1, node("Relu", {"x"}, {"y"})).part(11, value("x", {1, 8}));
    short_one.part(5, Message().number(1, 1000).number(2, 1).text(8, "w").text(9, "only these"));
    BOOST_TEST(contains(refused(model(short_one)), "states 1000 elements, which take 4000 bytes"));

    Message claims;
    claims.varint(9 << 3 | 2);
    claims.varint(std::uint64_t{1} << 31);
    Message liar;
    liar.text(5, claims.bytes);
    BOOST_TEST(contains(refused(model(liar)), "damaged or cut off"));
}

BOOST_AUTO_TEST_CASE(every_prefix_of_a_graph_is_an_error_or_a_graph) {
    Message graph;
    graph.part(1, node("Conv", {"x", "w"}, {"y"}))
        .part(5, weight("w", {2, 1, 3, 3}))
        .part(11, value("x", {1, 1, 8, 8}));
    const std::string whole = model(graph);
    for (std::size_t size = 0; size < whole.size(); ++size) {
        BOOST_TEST(!read_onnx(whole.substr(0, size)).has_value());
    }
    BOOST_TEST(contains(refused("not a graph at all"), "no ONNX model"));
}

BOOST_AUTO_TEST_CASE(shapes_of_the_command_line) {
    const auto shape = shape_from_text("pixels=1x3x224x224");
    BOOST_REQUIRE(shape);
    BOOST_TEST(shape->input == "pixels");
    BOOST_TEST(shape->sides == (std::vector<double>{1, 3, 224, 224}),
               boost::test_tools::per_element());
    for (const char* wrong : {"pixels", "=1x3", "pixels=", "pixels=1x0", "pixels=1xx3", "x=1x-4"}) {
        BOOST_TEST(!shape_from_text(wrong).has_value());
    }
}

BOOST_AUTO_TEST_SUITE_END()
