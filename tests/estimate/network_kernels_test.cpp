// Which kernels a stack and a library have for a network's operators, and what the encoders of a
// denoiser leave on the card.
#include "data/load.h"
#include "estimate/families/convolution/networks.h"
#include "estimate/families/network_builder.h"
#include "estimate/resolve/resolve.h"
#include "estimate/time/line_transform.h"
#include "estimate/time/slow_kernels.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <string>

using namespace ridgeline;

namespace {

const std::filesystem::path profiles_of_kernels =
    std::filesystem::path(RIDGELINE_SOURCE_DIR) / "profiles";

struct KernelWorld {
    Catalog catalog = *load_catalog(std::filesystem::path(RIDGELINE_SOURCE_DIR) / "catalog");
    Profiles profiles = *load_profiles(profiles_of_kernels);
};
const KernelWorld& kernel_world() {
    static const KernelWorld loaded;
    return loaded;
}

const SoftwareProfile& stack_named(std::string_view id) {
    const SoftwareProfile* software = kernel_world().profiles.software_profile(id);
    BOOST_TEST_REQUIRE((software != nullptr), id);
    return *software;
}

DeviceModel model_of(const std::string& part) {
    return device_model(*kernel_world().catalog.accelerator(part),
                        kernel_world().profiles.calibration);
}

ResolvedWorkload resolved_denoiser(const std::string& model, WorkloadDocument document,
                                   std::string_view framework) {
    document.framework = framework;
    document.task = Task::train;
    document.micro_batch = document.global_batch = 1;
    const auto architecture = load_model(profiles_of_kernels, model);
    BOOST_TEST_REQUIRE(architecture.has_value(), model);
    const auto resolved = resolve(document, *architecture, stack_named(framework), 1);
    BOOST_TEST_REQUIRE(resolved.has_value(), model);
    return *resolved;
}

/// A detector over two pictures of 512 px as its builder lists it.
SubModel listed_detector(std::string_view head, bool fused = false, double classes = 80) {
    NetworkBuilder net({.samples = 2}, "detector");
    NetworkSizes sizes;
    sizes.words = {{"backbone", "r50"}, {"head", std::string(head)}, {"neck", "fpn"}};
    sizes.numbers = {{"classes", {classes}}, {"fused_loss", {fused ? 1.0 : 0.0}}};
    list_detector(net, sizes, {.height = 512, .width = 512});
    return net.finish();
}

/// Bytes beside maps that its operators keep.
double kept_beside(const SubModel& model) {
    double sum = 0;
    for (const KeptBytes& one : model.flow_kept) {
        sum += one.map < 0 ? one.bytes : 0;
    }
    return sum;
}

}  // namespace

// SimpleTuner fills its caches before the first step; whoever trains on clips does (a clip's
// encoding takes longer than a step). Diffusers' scripts encode pictures in the step.
BOOST_AUTO_TEST_CASE(conditions_are_first_by_habit_and_of_clips) {
    WorkloadDocument document;
    const auto first = [&](const std::string& model, std::string_view framework) {
        return resolved_denoiser(model, document, framework).workload.cached_conditions;
    };
    BOOST_TEST(first("kolors-unet", "simpletuner"));
    BOOST_TEST(!first("kolors-unet", "diffusers"));
    BOOST_TEST(first("cogvideox-2b-transformer", "diffusers"));
    document.frames = 1;
    BOOST_TEST(!first("cogvideox-2b-transformer", "diffusers"));
    document.frames.reset();
    document.cached_conditions = false;
    BOOST_TEST(!first("kolors-unet", "simpletuner"));
    BOOST_TEST(!first("cogvideox-2b-transformer", "diffusers"));
}

BOOST_AUTO_TEST_CASE(conditions_that_are_first_stand_among_the_defaults) {
    const auto listed = [](const ResolvedWorkload& resolved) {
        return std::any_of(resolved.defaults.begin(), resolved.defaults.end(), [](const auto& one) {
            return one.field == "software.precomputed_conditions";
        });
    };
    BOOST_TEST(listed(resolved_denoiser("kolors-unet", {}, "simpletuner")));
    BOOST_TEST(!listed(resolved_denoiser("kolors-unet", {}, "diffusers")));
}

// Blocks of 32 columns walk over 32 rows at a time: of 32,000 rows 1,000 steps of 450 ns, whether
// one block is there or one for each of the 108 multiprocessors of an A100; one more waits.
BOOST_AUTO_TEST_CASE(gradients_of_norms_wait_for_rows_not_for_columns) {
    const DeviceModel a100 = model_of("a100-sxm4-80gb");
    const auto tolerance = boost::test_tools::tolerance(1e-9);
    BOOST_TEST(norm_gradient_time(a100, 32000, 4) == 450e-6, tolerance);
    BOOST_TEST(norm_gradient_time(a100, 32000, 108 * 32) == 450e-6, tolerance);
    BOOST_TEST(norm_gradient_time(a100, 32000, 108 * 32 + 1) == 900e-6, tolerance);
}

// A window of 25 taps over 835 positions: by transforms of 256, of which 232 are new, four tiles a
// sample. Of 16 samples each of 129 frequencies multiplies 64 rows by 768 x 768, 8 operations each:
// 39 GFLOP for 394. Of one sample the spectra of the weights alone (129 x 768 x 768 of 8 bytes,
// four times) take longer than the window.
BOOST_AUTO_TEST_CASE(long_windows_are_transformed_where_many_samples_share_their_weights) {
    const DeviceModel v100 = model_of("v100-sxm2-32gb");
    const auto work = [&](double samples, double positions) {
        NetworkBuilder net({.samples = samples, .training = false}, "line");
        net.block("layer");
        net.convolution(net.input(768, 1, positions), 768, Window::line(25));
        const SubModel model = net.finish();
        for (const Operator& op : model.blocks.back().operators) {
            if (op.name == long_line_convolution) {
                const RooflineTerms& rates =
                    v100.terms_of(ComputeType::fp32, OperatorClass::convolution);
                return line_work(rates, op, samples, 1);
            }
        }
        return TiledWork{};
    };
    const TiledWork many = work(16, 835);
    const auto tolerance = boost::test_tools::tolerance(1e-6);
    BOOST_TEST(many.products == 8.0 * 129 * 4 / (2.0 * 835 * 25), tolerance);
    BOOST_TEST(many.transformed == 4.0 * 8 * 129 * (64 * (768 + 768) + 768.0 * 768), tolerance);
    BOOST_TEST(work(1, 835).products == 1 / windowed_line, tolerance);
    BOOST_TEST(work(1, 835).transformed == 0.0);
}

// The focal loss of one kernel keeps the scores and their copy, that of torch's kernels nine maps
// more: of 512 px five levels have 64 x 64 to 4 x 4 positions, nine boxes each.
BOOST_AUTO_TEST_CASE(a_focal_loss_of_single_kernels_keeps_its_factors) {
    const double boxes = 9.0 * (64 * 64 + 32 * 32 + 16 * 16 + 8 * 8 + 4 * 4);
    const double scores = 2 * boxes * 80 * 4;
    const double more =
        kept_beside(listed_detector("retinanet")) - kept_beside(listed_detector("retinanet", true));
    BOOST_TEST(more == 9 * scores, boost::test_tools::tolerance(1e-9));
}

// Boxes are cut out of the maps of the neck: their gradients are whole maps, of which the finest
// waits (256 channels at a quarter of 512 px) while the proposals' own gradient is made.
BOOST_AUTO_TEST_CASE(crops_leave_gradients_of_whole_maps) {
    const SubModel model = listed_detector("faster-rcnn");
    std::size_t at = 0;
    int whole = 0;
    for (const Block& block : model.blocks) {
        for (const Operator& op : block.operators) {
            const FlowStep& step = model.flow[at++];
            whole += block.name == "box head" && op.name == "copy" ? step.inputs : 0;
        }
    }
    BOOST_TEST(whole == 4);
}
