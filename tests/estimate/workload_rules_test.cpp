// What sets the pace of workloads that are no plain training of transformers: single convolutions,
// exchanges over PCIe, translation in batches, tables that are launched one by one, text encoders.
#include "estimate/families/families.h"
#include "estimate/families/network_builder.h"
#include "estimate/families/small_functions.h"
#include "estimate/resolve/resolve.h"
#include "estimate/stacks/winograd_tiles.h"
#include "estimate/time/collective.h"
#include "estimate/time/data_parallel.h"
#include "estimate/time/pass_cost.h"
#include "estimate/time/single_convolution.h"
#include "tests/released.h"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

using namespace ridgeline;

namespace workload_rules_parts {

/// 10 TFLOP/s of fp32, 1 TB/s, units not known: no waves.
Accelerator vector_card() {
    Accelerator card;
    card.architecture = "Volta";
    card.memory_bandwidth = BytesPerSecond::of_base(1e12);
    card.peak_dense[static_cast<std::size_t>(ComputeType::fp32)] = FlopsPerSecond::of_base(1e13);
    return card;
}

/// 3x3 windows over 28 x 28 positions, 256 to 512 channels, no traffic of its own.
Operator windows(double images, std::string_view name) {
    Operator op;
    op.name = name;
    op.operator_class = OperatorClass::convolution;
    op.gemm = {.m = images * 784, .n = 512, .k = 9 * 256, .count = 1};
    op.forward = op.gemm.flops();
    return op;
}

const Operator& first_named(const Program& program, std::string_view name) {
    for (const SubModel& part : program.models) {
        for (const Block& block : part.blocks) {
            for (const Operator& op : block.operators) {
                if (op.name == name) {
                    return op;
                }
            }
        }
    }
    BOOST_FAIL("no operator " << name);
    std::abort();
}

BOOST_AUTO_TEST_SUITE(workload_rules)

// From 16 images on transforms of their own save 144 products for 36; below, fused tiles 36 for 16
// at half of the peak.
BOOST_AUTO_TEST_CASE(tiles_of_single_convolutions) {
    const Accelerator card = vector_card();
    const Calibration none;
    const DeviceModel device = device_model(card, none);
    const auto seconds = [&](double images, std::string_view name) {
        return single_convolution_time(device, ComputeType::fp32, windows(images, name), images);
    };
    const double eight = 2.0 * 8 * 784 * 512 * 2304;
    BOOST_TEST(seconds(8, winograd_convolution) == 8e-6 + eight / 2.25 / 5e12,
               boost::test_tools::tolerance(1e-9));
    const double moved = 2 * 2.25 * 16 * 784 * (512 + 256) * 4;
    BOOST_TEST(seconds(16, winograd_convolution) == 24e-6 + 2 * eight / 4 / 1e13 + moved / 0.75e12,
               boost::test_tools::tolerance(1e-9));
    BOOST_TEST(seconds(16, "convolution") == 8e-6 + 2 * eight / 0.75e13,
               boost::test_tools::tolerance(1e-9));
}

// 36 values of 4 bytes for each tile of 16 outputs and each channel, and for each pair of channels.
// The gradient of the weights is transformed in any batch; narrow layers and other windows are not.
BOOST_AUTO_TEST_CASE(transforms_of_tiles_hold_a_workspace) {
    const Operator op = windows(2, winograd_convolution);
    const double tiles = 2 * 784.0 / 16;
    BOOST_TEST(
        (winograd_workspace(op, true, 2) / byte) == 36 * 4 * (tiles * (512 + 256) + 512 * 256),
        boost::test_tools::tolerance(1e-9));
    BOOST_TEST((winograd_workspace(op, false, 2) / byte) == 0);
    BOOST_TEST((winograd_workspace(windows(16, winograd_convolution), false, 16) / byte) > 0);
    BOOST_TEST((winograd_workspace(windows(16, "convolution"), true, 16) / byte) == 0);
}

// 5x5 windows go by Fourier transforms: 28 + 4 positions a side are 32, of which 32 x 17
// frequencies are kept; 16 images, 192 channels to 32. A map of 56 takes two tiles of 28 a side.
BOOST_AUTO_TEST_CASE(fourier_transforms_of_single_convolutions) {
    const Accelerator card = vector_card();
    const Calibration none;
    const DeviceModel device = device_model(card, none);
    const auto seconds = [&](double side) {
        Operator op;
        op.name = wide_convolution;
        op.operator_class = OperatorClass::convolution;
        op.gemm = {.m = 16 * side * side, .n = 32, .k = 25 * 192, .count = 1};
        op.forward = op.gemm.flops();
        return single_convolution_time(device, ComputeType::fp32, op, 16);
    };
    const auto by_hand = [](double tiles) {
        const double kept = 32 * 17;
        const double values = kept * (tiles * (192 + 32) + 192 * 32);
        return 24e-6 + 8 * kept * tiles * 192 * 32 / 0.75e13 + 2 * 8 * values / 0.75e12;
    };
    BOOST_TEST(seconds(28) == by_hand(16), boost::test_tools::tolerance(1e-9));
    BOOST_TEST(seconds(56) == by_hand(64), boost::test_tools::tolerance(1e-9));
}

// The gradient of an input costs what the way forward costs; where windows step it is cleared and
// added to.
BOOST_AUTO_TEST_CASE(gradients_of_single_convolutions) {
    Architecture architecture;
    architecture.kind = ModelKind::image;
    NetworkSizes sizes;
    sizes.type = "conv2d_kernel";
    const auto call = [&](double stride, const char* pass) {
        sizes.numbers = {{"c", {64}},
                         {"k", {64}},
                         {"h", {56}},
                         {"w", {56}},
                         {"r", {1}},
                         {"s", {1}},
                         {"stride_h", {stride}},
                         {"stride_w", {stride}}};
        sizes.words = {{"pass", pass}};
        architecture.network = sizes;
        Workload workload;
        workload.compute = ComputeType::fp32;
        return program_of(architecture, workload, SoftwareProfile{})
            .models.front()
            .blocks.back()
            .operators.back();
    };
    BOOST_TEST(call(1, "backward_data").forward_traffic.base() ==
               call(1, "forward").forward_traffic.base());
    BOOST_TEST(call(1, "backward_data").name == convolution_input_gradient);
    BOOST_TEST(call(1, "backward_weight").name == convolution_gradient);
    const double map = 64.0 * 56 * 56 * 4;
    BOOST_TEST(call(2, "backward_data").forward_traffic.base() -
                   call(2, "forward").forward_traffic.base() ==
               map * (4 - 0.25));
}

// A batch of translations lasts as long as its longest sentence: among 128 it has 28 (1 + (sqrt(2
// ln 128) - 0.6) / 2) = 63.2 words.
BOOST_AUTO_TEST_CASE(translation_lasts_as_long_as_its_longest_sentence) {
    const Architecture gnmt = released::model("gnmt-4layer");
    Workload workload;
    workload.task = Task::inference;
    workload.batch.beam = 1;
    const auto launches = [&](int sentences, int beam) {
        workload.batch.micro = sentences;
        workload.batch.beam = beam;
        return first_named(program_of(gnmt, workload, SoftwareProfile{}), "decoder loop")
            .forward_kernels;
    };
    BOOST_TEST(launches(1, 1) == 48 * 28 + 10);
    const double longest = 28 * (1 + (std::sqrt(2 * std::log(128.0)) - 0.6) / 2);
    BOOST_TEST(launches(128, 1) == 48 * longest + 1280, boost::test_tools::tolerance(1e-9));
    // The choice of words is functions of small tensors, twice as many where hypotheses are kept.
    const auto choices = [&](int beam) {
        workload.batch.micro = 1;
        workload.batch.beam = beam;
        return first_named(program_of(gnmt, workload, SoftwareProfile{}), small_functions)
            .forward_kernels;
    };
    BOOST_TEST(choices(1) == 40 * 28);
    BOOST_TEST(choices(5) == 80 * 28);
    // Five beams where nobody says, as the script has it.
    BOOST_TEST(choices(0) == choices(5));
}

// google/gemma-2-2b, Qwen/Qwen3-4B, and the encoder of EleutherAI/pile-t5-xl: parameters that their
// configurations give.
BOOST_AUTO_TEST_CASE(text_encoders_to_the_digit) {
    const std::vector<std::pair<std::string, double>> cases = {
        {"lumina2-transformer", 2614341888.0},
        {"sana-1.6b-transformer", 2614341888.0},
        {"z-image-turbo-transformer", 4022468096.0},
        {"auraflow-transformer", 1223550976.0}};
    for (const auto& [id, published] : cases) {
        Workload workload;
        workload.task = Task::inference;
        const Program program = program_of(released::model(id), workload, SoftwareProfile{});
        BOOST_TEST(program.passes.front().name == "text encoder");
        BOOST_TEST(program.models.front().parameters == published, id);
    }
}

// Over PCIe nothing of the exchange of a plain stack hides; between NVLink ports most of it does.
BOOST_AUTO_TEST_CASE(gradients_over_pcie_are_not_hidden) {
    Cluster cluster;
    cluster.accelerator = released::catalog().accelerator("rtx-3090");
    cluster.count = cluster.per_node = 2;
    const Architecture resnet = released::model("resnet-50");
    Workload workload;
    workload.plan.data = 2;
    workload.plan.sharding = Sharding::ddp;
    const SoftwareProfile* software = released::profiles().software_profile("pytorch");
    const DeviceModel device = device_model(*cluster.accelerator, released::profiles().calibration);
    const auto time = [&](const char* link) {
        cluster.intra.id = cluster.intra.kind = link;
        cluster.intra.rate = BytesPerSecond::of_base(25e9);
        const EstimateInput input{resnet,    workload, cluster,
                                  *software, device,   released::profiles().calibration};
        return data_parallel_time(input, link_model(cluster, released::profiles().calibration),
                                  {.dense = 25.6e6, .dense_trained = 25.6e6, .layers = 4},
                                  {.forward = 0.1, .backward = 0.3});
    };
    const DataParallelTime pcie = time("pcie-gen4-x16");
    BOOST_TEST(pcie.exposed == pcie.total);
    const DataParallelTime nvlink = time("nvlink-3");
    BOOST_TEST(nvlink.exposed < 0.5 * nvlink.total);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace workload_rules_parts
