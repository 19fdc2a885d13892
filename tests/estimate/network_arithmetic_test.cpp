// Parameters, FLOPs and saved bytes of single blocks and small networks, worked out by hand.
#include "data/load.h"
#include "estimate/families/convolution/networks.h"
#include "estimate/families/families.h"

#include <boost/test/unit_test.hpp>

#include <numeric>

using namespace ridgeline;

namespace network_arithmetic_parts {

const std::filesystem::path profiles = std::filesystem::path(RIDGELINE_SOURCE_DIR) / "profiles";

struct Sums {
    double forward = 0;
    double backward = 0;
    double parameters = 0;
    double kept = 0;
};

Sums sums(const SubModel& part) {
    Sums sum;
    for (const Block& block : part.blocks) {
        for (const Operator& op : block.operators) {
            sum.forward += op.forward.base() * block.repeat;
            sum.backward += op.backward.base() * block.repeat;
            sum.parameters += op.parameters * block.repeat;
        }
        for (const Tensor& tensor : block.tensors) {
            sum.kept += tensor.size.base() * block.repeat;
        }
    }
    return sum;
}

SubModel network(const std::string& id, const Workload& workload) {
    const auto architecture = load_model(profiles, id);
    BOOST_TEST_REQUIRE(architecture.has_value(), id);
    const Program program = program_of(*architecture, workload, SoftwareProfile{});
    BOOST_TEST_REQUIRE(program.problem.empty(), id);
    return program.models[program.main];
}

Workload one_sample_in_fp32() {
    Workload workload;
    workload.task = Task::train;
    workload.compute = ComputeType::fp32;
    workload.weights = DType::fp32;
    return workload;
}

BOOST_AUTO_TEST_SUITE(network_arithmetic)

// A bottleneck of ResNet-50's first stage over 56 x 56 positions: 256 -> 64 -> 64 -> 256 channels.
BOOST_AUTO_TEST_CASE(bottleneck) {
    NetworkBuilder net(PassContext{.samples = 2}, "bottleneck");
    net.block("stem");
    // Its input comes from an operator that trains, so that gradients pass.
    const Map before = conv_norm_act(net, net.input(3, 56, 56), 256, Window::square(1));
    net.block("bottleneck");
    Map x = conv_norm_act(net, before, 64, Window::square(1));
    x = conv_norm_act(net, x, 64, Window::square(3));
    x = conv_norm(net, x, 256, Window::square(1));
    net.activation(net.add(x, before), ActivationKind::relu);
    const SubModel made = net.finish();
    const SubModel block{.name = {}, .blocks = {made.blocks.back()}};
    const Sums found = sums(block);
    const double weights = 256 * 64 + 64 * 64 * 9 + 64 * 256;
    BOOST_TEST(found.parameters == weights + 2 * (64 + 64 + 256));
    // A weight is used once at each position of each of the two samples; 2 FLOPs a use.
    BOOST_TEST(found.forward == 2 * weights * 56 * 56 * 2);
    // The gradient of the inputs and that of the weights.
    BOOST_TEST(found.backward == 2 * found.forward);
    // Kept in 4 bytes: outputs of the three products (for the norms), of two activations and of the
    // block; its input belongs to the block before.
    BOOST_TEST(found.kept == 4.0 * 2 * 56 * 56 * (64 + 64 + 256 + 64 + 64 + 256));
}

// Depthwise: a channel has its nine weights; a product of 3x3 reads nine inputs of one channel.
BOOST_AUTO_TEST_CASE(depthwise_convolution) {
    NetworkBuilder net(PassContext{}, "depthwise");
    net.block("stem");
    const Map in = net.convolution(net.input(3, 28, 28), 96, Window::square(1));
    net.block("depthwise");
    const Map out = net.convolution(in, 96, Window::square(3, 2), 96);
    BOOST_TEST(out.height == 14);
    const SubModel made = net.finish();
    const Sums found = sums({.name = {}, .blocks = {made.blocks.back()}});
    BOOST_TEST(found.parameters == 96 * 9);
    BOOST_TEST(found.forward == 2.0 * 96 * 9 * 14 * 14);
}

// Matrix units read channels in vectors of 16 bytes, kernels of first layers four channels: in half
// precision one of an image's is zero; the work that is counted stays that of three.
BOOST_AUTO_TEST_CASE(channels_are_padded_in_half_precision) {
    for (const double bytes : {2.0, 4.0}) {
        NetworkBuilder net(PassContext{.bytes = bytes}, "stem");
        net.block("stem");
        net.convolution(net.input(3, 32, 32), 60, Window::square(3));
        const SubModel made = net.finish();
        const Operator& op = made.blocks.back().operators.back();
        BOOST_TEST(op.forward.base() == 2.0 * 32 * 32 * 60 * 3 * 9);
        BOOST_TEST(op.gemm.k == (bytes < 4 ? 4 : 3) * 9);
        BOOST_TEST(op.gemm.n == (bytes < 4 ? 64 : 60));
    }
}

// A window of one position that steps by two sees one position of four.
BOOST_AUTO_TEST_CASE(positions_between_steps_are_not_read) {
    NetworkBuilder net(PassContext{}, "shortcut");
    net.block("shortcut");
    net.convolution(net.input(64, 8, 8), 16, Window::square(1, 2));
    const SubModel made = net.finish();
    const Operator& op = made.blocks.back().operators.back();
    BOOST_TEST(op.forward_traffic.base() == 4.0 * (64 * 4 * 4 + 16 * 4 * 4));
}

// Two layers of 1500 units between a table and a classifier of 10000 words: 4 gates, each with a
// product of the input and one of the state, and cuDNN's two vectors of biases.
BOOST_AUTO_TEST_CASE(long_short_term_memory) {
    Workload workload = one_sample_in_fp32();
    workload.batch.encoder_steps = 35;
    const Sums found = sums(network("ptb-lstm-large", workload));
    const double layer = 4 * 1500.0 * (1500 + 1500);
    const double table = 10000 * 1500.0;
    BOOST_TEST(found.parameters == 2 * (layer + 8 * 1500) + table + (table + 10000));
    BOOST_TEST(found.forward == 35 * 2 * (2 * layer + table));
}

// One sample of DLRM reads 26 rows of 128; 27 vectors meet in pairs.
BOOST_AUTO_TEST_CASE(recommender) {
    const SubModel part = network("dlrm-criteo-1tb", one_sample_in_fp32());
    const std::vector<double> rows{39884406, 39043,  17289,    7420,    20263,  3,        7120,
                                   1543,     63,     38532951, 2953546, 403346, 10,       2208,
                                   11938,    155,    4,        976,     14,     39979771, 25641295,
                                   39664984, 585935, 12972,    108,     36};
    BOOST_TEST(part.sparse == 128 * std::accumulate(rows.begin(), rows.end(), 0.0));
    const double bottom = 13 * 512 + 512 * 256 + 256 * 128;
    const double joined = 27 * 26 / 2 + 128;
    const double top = joined * 1024 + 1024 * 1024 + 1024 * 512 + 512 * 256 + 256;
    BOOST_TEST(sums(part).forward == 2 * (bottom + top + 27 * 27 * 128));
    // Each sample's vectors cross between ranks once forward, in 4 bytes.
    BOOST_TEST(part.exchanged.base() == 26 * 128 * 4);
}

// Of 26 tables on eight ranks some rank has four, where a mean one has 3.25: all wait for it.
BOOST_AUTO_TEST_CASE(tables_of_the_fullest_rank) {
    Workload workload = one_sample_in_fp32();
    workload.plan.data = 8;
    BOOST_TEST(network("dlrm-criteo-1tb", workload).exchanged.base() == 8 * 4 * 128 * 4,
               boost::test_tools::tolerance(1e-12));
}

// U-Net of 2015: two unpadded 3x3 convolutions a level, so that 572 pixels leave 388.
BOOST_AUTO_TEST_CASE(u_net) {
    Workload workload = one_sample_in_fp32();
    workload.batch.image_size = 572;
    double weights = 0;
    double flops = 0;
    double side = 572;
    double channels = 1;
    const auto convolve = [&](double in, double out, double taps, double positions) {
        weights += in * out * taps + out;
        flops += 2 * in * out * taps * positions;
    };
    for (double width = 64; width <= 1024; width *= 2) {
        convolve(channels, width, 9, (side - 2) * (side - 2));
        convolve(width, width, 9, (side - 4) * (side - 4));
        side = width < 1024 ? (side - 4) / 2 : side - 4;
        channels = width;
    }
    for (double width = 512; width >= 64; width /= 2) {
        // A 2x2 transposed convolution: each position makes four.
        convolve(2 * width, width, 4, side * side);
        side *= 2;
        convolve(2 * width, width, 9, (side - 2) * (side - 2));
        convolve(width, width, 9, (side - 4) * (side - 4));
        side -= 4;
    }
    BOOST_TEST(side == 388);
    convolve(64, 2, 1, side * side);
    const Sums found = sums(network("unet-2015", workload));
    // 256 does not crop evenly: it is padded, as the other U-Net is, which sees three colours.
    workload.batch.image_size = 256;
    const double first = 2 * 9 * 2 * 64 * 256.0 * 256;
    BOOST_TEST(sums(network("unet-2015", workload)).forward + first ==
                   sums(network("unet-64", workload)).forward,
               boost::test_tools::tolerance(1e-3));
    BOOST_TEST(found.parameters == weights);
    BOOST_TEST(found.forward == flops, boost::test_tools::tolerance(1e-12));
}

// Autocast runs norms in fp32, what follows takes the type of its input, and products cast theirs:
// the norm keeps an fp32 copy of its 16-bit input, the activation its fp32 input, the product its
// narrow copy (PyTorch docs, amp, "CUDA Ops that can autocast to float32").
BOOST_AUTO_TEST_CASE(norms_under_autocast_hand_on_fp32) {
    NetworkBuilder net(PassContext{.samples = 2, .bytes = 2, .norm_bytes = 4}, "autocast");
    net.block("stem");
    Map x = net.convolution(net.input(3, 4, 4), 8, Window::square(3));
    const double before = 2 * 3 * 16 * 2;
    x = net.activation(net.group_norm(x), ActivationKind::smooth);
    BOOST_TEST(x.wide);
    const Map y = net.convolution(x, 8, Window::square(3));
    BOOST_TEST(!y.wide);
    BOOST_TEST(net.add(x, y).wide);
    const double elements = 2 * 8 * 16;
    BOOST_TEST(sums(net.finish()).kept == before + elements * (4 + 4 + 2));
}

// Tables in groups: two tables whose inputs share them, three tables of narrow rows.
BOOST_AUTO_TEST_CASE(groups_of_tables) {
    NetworkSizes sizes;
    sizes.type = "recommender";
    sizes.numbers = {{"tables.count", {2, 3}},        {"tables.rows", {1000, 10}},
                     {"tables.width", {64, 4}},       {"tables.lookups", {31, 1}},
                     {"tables.lookups.size", {2, 1}}, {"mlp", {16, 1}},
                     {"numerical_features", {10}}};
    Architecture architecture;
    architecture.kind = ModelKind::image;
    architecture.network = sizes;
    const Program program = program_of(architecture, one_sample_in_fp32(), SoftwareProfile{});
    const SubModel& part = program.models.front();
    BOOST_TEST(part.sparse == 2 * 1000 * 64 + 3 * 10 * 4);
    // Four vectors of 64 and three of 4 enter one stack with ten numbers.
    const double width = 4 * 64 + 3 * 4 + 10;
    BOOST_TEST(sums(part).forward == 2 * (width * 16 + 16));
    // 62 rows of 256 bytes, and three of 16 bytes that cost a sector of 32; the vectors are
    // written.
    BOOST_TEST(part.blocks.front().operators.front().forward_traffic.base() ==
               62 * 256 + 3 * 32 + 4 * (4 * 64 + 3 * 4));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace network_arithmetic_parts
