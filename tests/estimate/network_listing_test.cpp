// Networks whose kernels and bytes were counted from the source of the program that runs them.
#include "data/load.h"
#include "estimate/families/convolution/networks.h"
#include "estimate/families/families.h"
#include "estimate/families/listing/statement.h"
#include "estimate/families/network_builder.h"
#include "estimate/families/small_functions.h"
#include "estimate/time/device.h"
#include "estimate/time/host_time.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>

using namespace ridgeline;
namespace tt = boost::test_tools;

namespace {

Architecture counted(const std::string& id) {
    const auto loaded = load_model(std::string(RIDGELINE_SOURCE_DIR) + "/profiles", id);
    BOOST_TEST_REQUIRE(loaded.has_value(), id);
    return *loaded;
}

Workload fp32_work(bool training) {
    Workload workload;
    workload.task = training ? Task::train : Task::inference;
    workload.compute = ComputeType::fp32;
    workload.weights = DType::fp32;
    return workload;
}

struct Sum {
    double forward_kernels = 0, backward_kernels = 0, forward_bytes = 0, backward_bytes = 0;
};
/// Of the operators of one name in a network that runs as a whole.
Sum sum_of(const Program& program, std::string_view name) {
    Sum sum;
    for (const Block& block : program.models[program.main].blocks) {
        for (const Operator& op : block.operators) {
            if (op.name == name) {
                sum.forward_kernels += block.repeat * op.forward_kernels;
                sum.backward_kernels += block.repeat * op.backward_kernels;
                sum.forward_bytes += block.repeat * op.forward_traffic.base();
                sum.backward_bytes += block.repeat * op.backward_traffic.base();
            }
        }
    }
    return sum;
}

Sum sum_of(const std::string& id, bool training, std::string_view name) {
    return sum_of(program_of(counted(id), fp32_work(training), SoftwareProfile{}), name);
}

bool runs(const Program& program, std::string_view pass) {
    return std::ranges::any_of(program.passes,
                               [pass](const ProgramPass& each) { return each.name == pass; });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(network_listing)

/// Bytes that a listing of one row keeps for its backward pass, of one sample of 3 x 8 x 8 in fp16.
static double kept_by(const std::string& row, double norm_bytes = 2) {
    NetworkBuilder net({.samples = 1, .bytes = 2, .norm_bytes = norm_bytes, .training = true},
                       "listing");
    NetworkSizes sizes;
    sizes.type = "listed";
    sizes.words = {{"listing", row}};
    list_written(net, sizes, {.height = 8, .width = 8});
    double bytes = 0;
    const SubModel model = net.finish();
    for (const Block& block : model.blocks) {
        for (const Tensor& tensor : block.tensors) {
            bytes += tensor.size.base();
        }
    }
    return bytes;
}

// A row of 5 positions is no square of 5: its product keeps 5 x 3 elements, the convolution before
// it the sample (3 x 64).
BOOST_AUTO_TEST_CASE(products_over_positions_fit_pictures_of_one_size) {
    for (const auto& [id, usual_alone] :
         {std::pair{"mixer-b16-224", true}, {"resmlp-24-224", true}, {"swin-v2-t", false}}) {
        const Architecture model = counted(id);
        Workload workload = fp32_work(true);
        workload.batch.image_size = usual_image_size(model);
        BOOST_TEST(check_program(model, workload).has_value(), id);
        workload.batch.image_size = 2 * usual_image_size(model);
        BOOST_TEST(check_program(model, workload).has_value() != usual_alone, id);
    }
}

BOOST_AUTO_TEST_CASE(one_side_is_a_row_of_positions) {
    BOOST_TEST(kept_by("layers: a conv a 3; a copy a 3 h5; a linear a 4") ==
               2.0 * (3 * 64 + 5 * 3));
    BOOST_TEST(kept_by("layers: a conv a 3; a copy a 3 h5x5; a linear a 4") ==
               2.0 * (3 * 64 + 25 * 3));
}

// What a ReLU out of place keeps is what the next convolution keeps: one map, beside the sample.
BOOST_AUTO_TEST_CASE(a_result_is_kept_once) {
    BOOST_TEST(kept_by("layers: a conv a 3; b point a 1 1; b conv b 3") == 2.0 * 2 * 3 * 64);
}

// What autograd saves and no operator keeps by itself is named: three maps of one size, each once.
BOOST_AUTO_TEST_CASE(a_map_that_is_named_is_kept) {
    BOOST_TEST(kept_by("layers: a conv a 3; b point a 1 0; b linear b 4") == 2.0 * 2 * 3 * 64);
    BOOST_TEST(kept_by("layers: a conv a 3; b point a 1 0; - keep a; b linear b 4") ==
               2.0 * 3 * 3 * 64);
}

// A square under autocast is computed in fp32: the wide copy that it reads is kept.
BOOST_AUTO_TEST_CASE(what_autocast_widens_keeps_its_copy) {
    const std::string row = "layers: a conv a 3; a point a 1 0 wide; a linear a 4";
    BOOST_TEST(kept_by(row, 4) == (2.0 + 4 + 2) * 3 * 64);
    BOOST_TEST(kept_by(row) == (2.0 + 2 + 2) * 3 * 64);
}

// An activation that writes in place what its derivative wants copies it first: as many maps are
// kept, two more pass the memory. Where nothing trains there is no copy.
BOOST_AUTO_TEST_CASE(an_activation_in_place_copies_first) {
    const auto passed = [](bool training, bool copied) {
        NetworkBuilder net({.bytes = 2, .norm_bytes = 2, .training = training}, "activation");
        const Map in = net.input(3, 8, 8);
        net.activation(in, ActivationKind::smooth, copied);
        return net.finish().blocks.front().operators.front().forward_traffic.base();
    };
    const double map = 2.0 * 3 * 64;
    BOOST_TEST(passed(true, true) == 4 * map);
    BOOST_TEST(passed(true, false) == 2 * map);
    BOOST_TEST(passed(false, true) == 2 * map);
    BOOST_TEST(kept_by("layers: a conv a 3; a act a copied; a conv a 3") ==
               kept_by("layers: a conv a 3; a act a; a conv a 3"));
}

// 14 x 14 patches and a class token, on pictures of twice the side and of 320 for 224 pixels.
BOOST_AUTO_TEST_CASE(stated_sides_grow_with_the_picture) {
    BOOST_TEST(grown("14~", {2}) == 28);
    BOOST_TEST(grown("197~196", {2}) == 28 * 28 + 1);
    BOOST_TEST(grown("197~196", {320.0 / 224}) == 20 * 20 + 1);
    BOOST_TEST(grown("77", {2}) == 77);
    BOOST_TEST(grown("6~6", {2}) == 24);
    // Of clips: frames alone, and positions of all frames beside the text.
    BOOST_TEST(grown("25^", {1, 2}) == 50);
    BOOST_TEST(grown("6616^6360", {1, 3.5}) == 22'260 + 256);
    BOOST_TEST(grown("6616^6360", {2, 3}) == 12 * 6360 + 256);
    BOOST_TEST(grown("197~196", {1, 2}) == 197);
    const Sides sides = sides_of("8x14~x28~", {1.5});
    BOOST_TEST(sides.depth == 8);
    BOOST_TEST(sides.height == 21);
    BOOST_TEST(sides.width == 42);
}

// One function gives the gradients of a convolution and keeps its input though the weight is
// frozen, where a gradient passes; a product keeps none (derivatives.yaml).
BOOST_AUTO_TEST_CASE(a_frozen_convolution_keeps_its_input) {
    const auto kept = [](bool convolves, bool trains_before) {
        NetworkBuilder net({.bytes = 2, .norm_bytes = 2}, "frozen");
        Map x = net.input(3, 8, 8);
        if (trains_before) {
            x = net.linear(x, 5);
        }
        net.freeze_weights();
        if (convolves) {
            net.convolution(x, 7, Window::square(1));
        } else {
            net.linear(x, 7);
        }
        double bytes = 0;
        for (const Block& block : net.finish().blocks) {
            for (const Tensor& tensor : block.tensors) {
                bytes += tensor.size.base();
            }
        }
        return bytes;
    };
    const double sample = 2.0 * 3 * 64;
    BOOST_TEST(kept(true, true) == sample + 2.0 * 5 * 64);
    BOOST_TEST(kept(false, true) == sample);
    BOOST_TEST(kept(true, false) == 0);
}

// Under autocast scores of 64 x 64 are normalised in fp32, which is kept, and multiplied in fp16.
BOOST_AUTO_TEST_CASE(a_softmax_that_is_written_out_is_wide) {
    const std::string row = "layers: a conv a 64; b softmax a; b matmul b a 64 h64 k64";
    BOOST_TEST(kept_by(row, 4) == 2.0 * 3 * 64 + (4.0 + 2 + 2) * 64 * 64);
    BOOST_TEST(kept_by(row) == 2.0 * 3 * 64 + (2.0 + 2) * 64 * 64);
}

// Who states the side of a latent has encoded the images before the run; texts still are encoded.
BOOST_AUTO_TEST_CASE(a_batch_in_latents_is_not_encoded_again) {
    const Architecture network = counted("sd-2.1-unet");
    Workload workload = fp32_work(true);
    workload.batch.image_size = 512;
    BOOST_TEST(runs(program_of(network, workload, SoftwareProfile{}), "encode images"));
    workload.batch.latent_size = 64;
    const Program program = program_of(network, workload, SoftwareProfile{});
    BOOST_TEST(!runs(program, "encode images"));
    BOOST_TEST(runs(program, "text encoder"));
}

// Jasper 10x5: a prologue, 50 convolutions, 1 + 2 + ... + 10 residuals, an epilogue of two; beside
// the two passes of the fill, each mask is arange, comparison, seven operations on lengths, and a
// copy. QuartzNet 15x5: both halves of 1 + 75 + 1 separable convolutions, 15 residuals and one
// more; five operations on lengths.
BOOST_AUTO_TEST_CASE(every_masked_convolution_counts_its_kernels) {
    BOOST_TEST(sum_of("jasper-10x5dr", false, small_functions).forward_kernels ==
               10 * (1 + 50 + 55 + 2));
    BOOST_TEST(sum_of("jasper-10x5dr", false, "mask").forward_kernels == 1 + 50 + 55 + 2);
    BOOST_TEST(sum_of("quartznet-15x5", false, small_functions).forward_kernels ==
               8 * (2 * (1 + 75 + 1) + 15 + 1));
}

// 28 words and the end of the bucket of ten when it trains; logarithms and their gradients in fp32.
BOOST_AUTO_TEST_CASE(sentences_are_filled_to_their_bucket) {
    const double scores = (28 + 5) * 32320;
    const Sum loss = sum_of("gnmt-4layer", true, "loss");
    BOOST_TEST(loss.forward_bytes == scores * (3 * 4 + 2 * 4), tt::tolerance(1e-9));
    BOOST_TEST(loss.backward_bytes == scores * (8 * 4 + 4), tt::tolerance(1e-9));
    const Sum answers = sum_of("gnmt-4layer", false, "loss");
    BOOST_TEST(answers.forward_bytes == scores * 28 / 33 * 20, tt::tolerance(1e-9));
}

// 560 frames, 100 characters of 512 numbers: every frame reads all states and weights again, and
// what a frame adds to a gradient is written, read and added whole.
BOOST_AUTO_TEST_CASE(a_loop_over_frames_reads_all_weights_in_each) {
    const Sum loop = sum_of("tacotron2", true, "decoder loop");
    BOOST_TEST(loop.forward_kernels == 28 * 560);
    BOOST_TEST(loop.backward_kernels == 65 * 560);
    const Sum context = sum_of("tacotron2", true, "context");
    BOOST_TEST(context.forward_bytes == 560.0 * 100 * 512 * 4, tt::tolerance(1e-9));
    BOOST_TEST(context.backward_bytes == 5 * context.forward_bytes, tt::tolerance(1e-9));
    const Sum taken = sum_of("tacotron2", true, "frame by frame");
    BOOST_TEST(taken.backward_bytes == 4.0 * 560 * 560 * 256 * 4, tt::tolerance(1e-9));
    const double weights = 4 * 1024 * ((256 + 512 + 1024) + (1024 + 512 + 1024));
    const Sum cells = sum_of("tacotron2", true, "cell in a loop");
    BOOST_TEST(cells.forward_bytes > 560 * weights * 4);
    BOOST_TEST(cells.backward_bytes > 5 * 560 * weights * 4);
    BOOST_TEST(cells.backward_bytes < 5.1 * 560 * weights * 4);
}

// Four variables of 168 steps, three of 24 and one that does not move, 128 numbers each.
BOOST_AUTO_TEST_CASE(a_variable_that_is_taken_out_writes_a_gradient_of_all) {
    const double elements = 4 * (168 * 4 * 128.0) + 3 * (24 * 3 * 128.0) + 128;
    const Sum taken = sum_of("tft", true, "variable by variable");
    BOOST_TEST(taken.backward_bytes == 5 * 4 * elements, tt::tolerance(1e-9));
    BOOST_TEST(taken.forward_kernels == 0.0);
}

// 560 frames and 100 characters are compared in 80 channels: made, squared, scaled and summed.
BOOST_AUTO_TEST_CASE(an_aligner_writes_all_pairs_of_frames_and_characters) {
    const Sum pairs = sum_of("fastpitch", true, "distances");
    BOOST_TEST(pairs.forward_bytes == 6 * 4.0 * 80 * 560 * 100, tt::tolerance(1e-9));
    BOOST_TEST(sum_of("fastpitch", false, "distances").forward_bytes == 0.0);
}

// 81 frames are 21 latent ones, joined two by two to 11, of 48 x 85 patches; 226 words beside them.
// In 42 blocks queries, keys and values of 3072 numbers are read, and as many written.
BOOST_AUTO_TEST_CASE(latent_frames_are_joined) {
    const double tokens = 11 * 48 * 85 + 226;
    BOOST_TEST(sum_of("cogvideox1.5-5b-transformer", true, "attention").forward_bytes ==
                   42 * 4 * tokens * 3072 * 4,
               tt::tolerance(1e-9));
}

// 100 launches beside 1 ms of kernels: 10 us each leave nothing to wait for, 24 us 1.4 ms. Modules
// of torch cost the latter where autograd records nothing, and what their stack says where it does.
BOOST_AUTO_TEST_CASE(launches_that_autograd_does_not_record_have_their_own_price) {
    Accelerator card;
    card.architecture = "Hopper";
    const Cluster cluster;
    SoftwareProfile software;
    software.runtime.options.launch_per_kernel = 10.0 * microsecond;
    const Architecture network;
    Workload workload = fp32_work(false);
    DeviceModel device;
    device.accelerator = &card;
    const Calibration calibration;
    const EstimateInput input{network, workload, cluster, software, device, calibration};
    PassCost cost;
    cost.kernels = 100;
    cost.device = 1e-3;
    BOOST_TEST(host_excess(input, cost, 0) == 0.0);
    software.runtime.options.autocast = true;
    BOOST_TEST(host_excess(input, cost, 0) == 1.4e-3, tt::tolerance(1e-9));
    // A compiler takes half of the time of a launch, and leaves exchanges of a library alone.
    workload.compiled = true;
    cost.uncompiled = 50;
    BOOST_TEST(host_excess(input, cost, 0) == 1.4e-3, tt::tolerance(1e-9));
    workload.compiled = false;
    cost.uncompiled = 0;
    workload.task = Task::train;
    BOOST_TEST(host_excess(input, cost, 0) == 0.0);
}

BOOST_AUTO_TEST_SUITE_END()
