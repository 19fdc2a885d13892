// Networks that are programs: counts against published ones, FLOPs and saved bytes against traces
// of torchvision and diffusers, properties of memory and time, sizes that leave nothing.
#include "estimate/estimate.h"
#include "estimate/families/families.h"
#include "estimate/resolve/resolve.h"
#include "estimate/step_listing.h"
#include "estimate/time/collective.h"
#include "tests/released.h"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

using namespace ridgeline;

namespace {

using released::catalog;
using released::model;
using released::profiles;
using released::root;

Workload plain(int image, bool training) {
    Workload workload;
    workload.task = training ? Task::train : Task::inference;
    workload.compute = ComputeType::fp32;
    workload.weights = DType::fp32;
    workload.batch.image_size = image;
    return workload;
}

double flops(const SubModel& part) {
    double sum = 0;
    for (const Block& block : part.blocks) {
        for (const Operator& op : block.operators) {
            sum += op.forward.base() * block.repeat;
        }
    }
    return sum;
}

double kept(const SubModel& part) {
    double sum = 0;
    for (const Block& block : part.blocks) {
        for (const Tensor& tensor : block.tensors) {
            sum += tensor.size.base() * block.repeat;
        }
    }
    return sum;
}

SubModel traced(const std::string& id, int image) {
    const Program program = program_of(model(id), plain(image, true), SoftwareProfile{});
    BOOST_TEST_REQUIRE(program.problem.empty(), id);
    return program.models[program.main];
}

/// What `ask` makes of the input for a network on H100.
template <typename Ask>
auto asked(const std::string& id, WorkloadDocument document, int count, Ask ask) {
    const Architecture architecture = model(id);
    document.framework = document.framework.value_or("pytorch");
    const SoftwareProfile* software = profiles().software_profile(*document.framework);
    BOOST_TEST_REQUIRE((software != nullptr));
    const auto resolved = resolve(document, architecture, *software, count);
    BOOST_TEST_REQUIRE(resolved.has_value());
    const Accelerator& card = *catalog().accelerator("h100-sxm5-80gb");
    Cluster cluster;
    cluster.accelerator = &card;
    cluster.count = cluster.per_node = count;
    BOOST_TEST_REQUIRE(check_plan(architecture, resolved->workload, cluster).has_value());
    const DeviceModel device = device_model(card, profiles().calibration);
    const EstimateInput input{architecture, resolved->workload,    cluster, *software,
                              device,       profiles().calibration};
    return ask(input);
}

Estimate answer(const std::string& id, WorkloadDocument document, int count = 1) {
    return asked(id, std::move(document), count,
                 [](const EstimateInput& input) { return estimate(input, nullptr); });
}

std::optional<StepListing> step_of(const std::string& id, WorkloadDocument document, int count) {
    return asked(id, std::move(document), count, step_listing);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(networks)

BOOST_AUTO_TEST_CASE(published_counts_to_the_digit) {
    int compared = 0;
    for (const std::string& id : list_models(root + "/profiles")) {
        const Architecture architecture = model(id);
        if (!architecture.network || !architecture.published_parameters) {
            continue;
        }
        BOOST_TEST(
            std::llround(program_parameters(architecture)) == *architecture.published_parameters,
            id);
        ++compared;
    }
    BOOST_TEST(compared > 320);
}

BOOST_AUTO_TEST_CASE(every_network_of_the_catalog_is_a_program) {
    for (const std::string& id : list_models(root + "/profiles")) {
        const Architecture architecture = model(id);
        BOOST_TEST((!architecture.stacks.empty() || has_program(architecture)), id);
    }
}

// FLOPs (2 a multiply-accumulate) and bytes that autograd saves for one image in fp32, traced on
// torchvision 0.29.2 at 224 pixels.
BOOST_AUTO_TEST_CASE(flops_and_saved_bytes_of_traces) {
    struct Trace {
        const char* id;
        double flops;
        double saved;
    };
    for (const Trace& trace :
         {Trace{"resnet-18", 3628146688, 22199040}, Trace{"resnet-101", 15602810880, 127063808},
          Trace{"resnext-50-32x4d", 8460959744, 112338176},
          Trace{"densenet-121", 5668323328, 130528640},
          Trace{"efficientnet-b0", 771629504, 88278084},
          Trace{"mobilenet-v3-large", 433179520, 44162752},
          Trace{"mnasnet-1-0", 628831744, 44341312},
          Trace{"shufflenet-v2-x1-0", 289815984, 20417320},
          Trace{"vgg-16", 30940528640, 73355264}}) {
        const SubModel part = traced(trace.id, 224);
        BOOST_TEST(flops(part) == trace.flops, boost::test_tools::tolerance(1e-4));
        // Statistics of the norms, which the trace counts, are a few kilobytes.
        BOOST_TEST(kept(part) == trace.saved, boost::test_tools::tolerance(5e-3));
    }
}

// Networks that are written out, on pictures of another side than their file's: torch's flop
// counter on timm 1.0.31, on the meta device.
BOOST_AUTO_TEST_CASE(flops_on_larger_pictures) {
    BOOST_TEST(flops(traced("beit-base-patch16-224", 320)) == 74518757376,
               boost::test_tools::tolerance(1e-3));
    BOOST_TEST(flops(traced("caformer-s18", 320)) == 17727946752,
               boost::test_tools::tolerance(1e-3));
    BOOST_TEST(flops(traced("davit-tiny", 320)) == 19191768576, boost::test_tools::tolerance(0.02));
}

// Sound of 10 and of 5 seconds (Wav2Vec2Model of Transformers 5.24).
BOOST_AUTO_TEST_CASE(flops_of_shorter_sound) {
    for (const auto& [seconds, expected] :
         {std::pair{10.0, 148133046272.0}, std::pair{5.0, 71673014272.0}}) {
        Workload workload = plain(0, false);
        workload.batch.audio_seconds = seconds;
        const Program program = program_of(model("wav2vec2-base"), workload, SoftwareProfile{});
        BOOST_TEST(flops(program.models[program.main]) == expected,
                   boost::test_tools::tolerance(0.01));
    }
}

// Floating-point operations of one pass, batch 1, traced on diffusers.
BOOST_AUTO_TEST_CASE(flops_of_denoisers) {
    BOOST_TEST(flops(traced("flux.1-dev-transformer", 1024)) == 74384653418496,
               boost::test_tools::tolerance(1e-3));
    BOOST_TEST(flops(traced("sd3-medium-transformer", 1024)) == 8904337539072,
               boost::test_tools::tolerance(1e-3));
    BOOST_TEST(flops(traced("sd-2.1-unet", 768)) == 2149105745920,
               boost::test_tools::tolerance(1e-3));
    BOOST_TEST(flops(traced("wan2.1-t2v-14b-transformer", 832)) == 1678370283192320,
               boost::test_tools::tolerance(1e-3));
    BOOST_TEST(flops(traced("hunyuanvideo-transformer", 1280)) == 12068592207003648,
               boost::test_tools::tolerance(1e-3));
}

// Bytes that norms and pointwise kernels of one pass read and write, counted on the meta device:
// diffusers 0.42, weights in bf16 but for those it keeps in fp32, 81 frames of 480 x 832.
BOOST_AUTO_TEST_CASE(wan_scales_and_sums_in_fp32) {
    Workload workload = plain(832, false);
    workload.compute = ComputeType::bf16;
    workload.weights = DType::bf16;
    workload.batch.image_height = 480;
    workload.batch.frames = 81;
    workload.batch.guidance_passes = 1;
    const Program program =
        program_of(model("wan2.1-t2v-1.3b-transformer"), workload, SoftwareProfile{});
    double bytes = 0;
    for (const Block& block : program.models[program.main].blocks) {
        for (const Operator& op : block.operators) {
            const bool product = op.gemm.k > 0 || op.role == Role::attention;
            bytes += product ? 0 : op.forward_traffic.base() * block.repeat;
        }
    }
    BOOST_TEST(bytes == 568.7e9, boost::test_tools::tolerance(0.05));
}

BOOST_AUTO_TEST_CASE(an_image_too_small_names_its_layer) {
    const auto checked = check_program(model("inception-v3"), plain(20, true));
    BOOST_TEST_REQUIRE(!checked.has_value());
    BOOST_TEST(checked.error().text().find("batch.image_size") != std::string::npos);
    BOOST_TEST(checked.error().text().find("leaves nothing") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(memory_and_time_grow_with_the_image) {
    WorkloadDocument document;
    document.micro_batch = 256;  // so many that the host does not pace them
    document.image_size = 224;
    const Estimate small = answer("resnet-50", document);
    document.image_size = 448;
    const Estimate large = answer("resnet-50", document);
    BOOST_TEST(large.memory.allocated.base() > 2 * small.memory.allocated.base());
    // The loop on the host takes as long for either.
    BOOST_TEST(large.time.step.base() > 2.5 * small.time.step.base());
    BOOST_TEST(large.time.step.base() < 5 * small.time.step.base());
}

// Under autocast the 64 images of 224 pixels keep half of 86.0 MB each, and their 16-bit weights.
BOOST_AUTO_TEST_CASE(activations_of_resnet_50) {
    WorkloadDocument document;
    document.micro_batch = 64;
    const Estimate found = answer("resnet-50", document);
    double activations = 0;
    for (const Instant& instant : found.memory.instants) {
        for (const Component& component : instant.components) {
            if (instant.name == "forward" && component.name == "activations") {
                activations = component.size.base();
            }
        }
    }
    BOOST_TEST(activations == 64 * 86.0e6 / 2 + 2 * 25557032.0, boost::test_tools::tolerance(0.02));
}

BOOST_AUTO_TEST_CASE(epochs_of_a_dataset_are_a_length) {
    WorkloadDocument document;
    document.micro_batch = 256;
    document.duration_epochs = 90;
    document.dataset_samples = 1281167;
    const Estimate found = answer("resnet-50", document);
    BOOST_TEST(found.time.run.has_value());
    BOOST_TEST(found.time.run->steps.base() == 90 * 1281167.0 / found.time.samples_per_second,
               boost::test_tools::tolerance(1e-3));
}

// Both networks and both optimizers live at the same time.
BOOST_AUTO_TEST_CASE(adversarial_training_holds_both_networks) {
    // By hand: pix2pix judges six channels (2,768,705 weights), CycleGAN has two pairs and judges
    // three (2,764,737).
    for (const auto& [model, weights] :
         {std::pair("dcgan-generator-64", 3576704.0 + 2765568 + 1024),
          std::pair("pix2pix", 54413955.0 + 2768705),
          std::pair("cyclegan", 2 * (11378179.0 + 2764737))}) {
        WorkloadDocument document;
        document.micro_batch = 16;
        const Estimate found = answer(model, document);
        double held = 0;
        for (const Component& component : found.memory.instants.back().components) {
            held += component.name == "optimizer state" ? component.size.base() : 0;
        }
        BOOST_TEST(held == 2 * 4 * weights, boost::test_tools::tolerance(0.01));
    }
}

// NVIDIA's containers round products of fp32 to tf32, torch alone those of cuDNN.
BOOST_AUTO_TEST_CASE(fp32_is_rounded_as_the_stack_says) {
    WorkloadDocument document;
    document.micro_batch = 1024;
    document.compute = ComputeType::fp32;
    const double torch = answer("gnmt-4layer", document).time.step.base();
    document.framework = "deeplearning-examples";
    const double container = answer("gnmt-4layer", document).time.step.base();
    document.compute = ComputeType::tf32;
    const double rounded = answer("gnmt-4layer", document).time.step.base();
    BOOST_TEST(container < 0.7 * torch);
    BOOST_TEST(container == rounded, boost::test_tools::tolerance(0.1));
}

// Of eight resolutions the four highest are in half precision (512 pixels: from 64 on).
BOOST_AUTO_TEST_CASE(stylegan_keeps_low_resolutions_in_fp32) {
    Workload half = plain(512, true);
    half.compute = ComputeType::fp16;
    const Program program = program_of(model("stylegan2-generator-512"), half, SoftwareProfile{});
    int wide = 0;
    int products = 0;
    for (const Block& block : program.models.front().blocks) {
        for (const Operator& op : block.operators) {
            const bool convolves = op.operator_class == OperatorClass::convolution;
            products += convolves ? 1 : 0;
            wide += convolves && op.full_precision ? 1 : 0;
        }
    }
    // Three a resolution, two at the first: 4, 8, 16 and 32 pixels are wide.
    BOOST_TEST(products == 2 + 7 * 3);
    BOOST_TEST(wide == 2 + 3 * 3);
    // The generator is drawn from twice in a step, the second time for the discriminator alone.
    const auto drawn =
        std::count_if(program.passes.begin(), program.passes.end(), [](const ProgramPass& pass) {
            return pass.model == 0 && pass.kind == ProgramPass::Kind::forward && pass.repeat == 1;
        });
    BOOST_TEST(drawn == 2);
}

// Blocks that are computed again keep what enters them alone, in the allocator as among the
// tensors.
BOOST_AUTO_TEST_CASE(reserved_memory_follows_what_is_kept) {
    WorkloadDocument document;
    document.micro_batch = 64;
    const Estimate kept = answer("resnet-50", document);
    document.recompute = RecomputeMode::full;
    const Estimate again = answer("resnet-50", document);
    BOOST_TEST(kept.memory.reserved.base() > kept.memory.allocated.base());
    BOOST_TEST(kept.memory.reserved.base() < 1.3 * kept.memory.allocated.base());
    BOOST_TEST(again.memory.reserved.base() < 0.8 * kept.memory.reserved.base());
    BOOST_TEST(again.memory.reserved.base() >= again.memory.allocated.base());
}

// What torch's own counters said on the stand-in card, where nothing but the kernels is missing:
// plain loops of fp32 weights, foreach optimizers and autocast (tests/oracle/vision_steps.py), and
// LoRA of diffusion transformers with and without checkpointing (diffusion_steps.py). Counters
// count blocks of whole 512 B and what is left of a block up to 1 MiB.
std::vector<double> errors_against_torch(std::string_view framework, std::string_view counter) {
    const auto rows = load_evidence(root + "/tests/evidence/network_memory.json");
    BOOST_TEST_REQUIRE(rows.has_value());
    std::vector<double> errors;
    for (const EvidenceRow& row : *rows) {
        if (row.workload.framework != framework || row.memory_counter != counter) {
            continue;
        }
        BOOST_TEST_REQUIRE(row.workload.architecture.has_value());
        const MemoryEstimate memory = answer(row.workload.architecture->name, row.workload).memory;
        const Bytes found = counter == "reserved" ? memory.reserved : memory.allocated;
        errors.push_back(std::abs(found / gibibyte / *row.measured.peak_memory_gib - 1));
        BOOST_TEST(errors.back() < (counter == "reserved" ? 0.13 : 0.09),
                   row.id << " is off by " << errors.back());
    }
    std::sort(errors.begin(), errors.end());
    return errors;
}

BOOST_AUTO_TEST_CASE(peaks_of_training_as_torch_counts_them) {
    const auto errors = errors_against_torch("pytorch", "allocated");
    BOOST_TEST_REQUIRE(errors.size() >= 20u);
    BOOST_TEST(errors[errors.size() / 2] < 0.01);
    BOOST_TEST(errors[errors.size() * 9 / 10] < 0.04);
    const auto reserved = errors_against_torch("pytorch", "reserved");
    BOOST_TEST_REQUIRE(reserved.size() >= 20u);
    BOOST_TEST(reserved[reserved.size() / 2] < 0.03);
    BOOST_TEST(reserved[reserved.size() * 9 / 10] < 0.08);
}

BOOST_AUTO_TEST_CASE(peaks_of_adapters_as_torch_counts_them) {
    const auto errors = errors_against_torch("diffusers", "allocated");
    BOOST_TEST_REQUIRE(errors.size() >= 7u);
    BOOST_TEST(errors[errors.size() / 2] < 0.02);
    const auto reserved = errors_against_torch("diffusers", "reserved");
    BOOST_TEST_REQUIRE(reserved.size() >= 10u);
    BOOST_TEST(reserved[reserved.size() / 2] < 0.04);
    BOOST_TEST(reserved[reserved.size() * 8 / 10] < 0.05);
}

BOOST_AUTO_TEST_CASE(a_step_is_listed_kernel_by_kernel) {
    WorkloadDocument document;
    document.micro_batch = 64;
    document.global_batch = 64;
    const Estimate whole = answer("resnet-50", document);
    const auto step = step_of("resnet-50", document, 1);
    BOOST_REQUIRE(step.has_value());
    double kernels = 0;
    for (const TimeComponent& component : whole.time.components) {
        const bool pass = component.name == "forward" || component.name == "backward";
        kernels += pass ? component.time / second : 0;
    }
    BOOST_TEST((step->computing / second) == kernels, boost::test_tools::tolerance(1e-6));
    BOOST_TEST((step->exchanging == Seconds{}));
    Bytes most;
    for (const ListedEvent& event : step->events) {
        most = std::max(most, event.alive);
    }
    BOOST_TEST(most.base() == whole.memory.allocated.base(), boost::test_tools::tolerance(0.03));
}

BOOST_AUTO_TEST_CASE(gradients_are_exchanged_beside_the_backward_pass) {
    WorkloadDocument document;
    document.micro_batch = 64;
    document.global_batch = 128;
    document.sharding = Sharding::ddp;
    const auto step = step_of("resnet-50", document, 2);
    BOOST_REQUIRE(step.has_value());
    Bytes exchanged;
    for (const ListedEvent& event : step->events) {
        exchanged += event.kind == Event::Kind::collective ? event.bytes : Bytes{};
    }
    const double gradients = 4 * program_parameters(model("resnet-50"));
    // Norms and biases, a hundredth of them, are no tensors of their own in the script.
    BOOST_TEST(exchanged.base() == gradients, boost::test_tools::tolerance(0.01));
    BOOST_TEST((step->exchanging > Seconds{}));
    BOOST_TEST((step->waited < step->exchanging));
}

double seconds_of(const Estimate& found, std::string_view name) {
    double sum = 0;
    for (const TimeComponent& component : found.time.components) {
        sum += component.name == name ? component.time / second : 0;
    }
    return sum;
}

BOOST_AUTO_TEST_CASE(a_network_waits_for_its_input) {
    WorkloadDocument document;
    document.micro_batch = 64;
    document.global_batch = 64;
    const double alone = answer("resnet-50", document).time.step / second;
    // Storage that takes three times the step.
    document.input.emplace();
    document.input->bytes_per_sample = 6e6;
    document.input->storage_bytes_per_s = 64 * 6e6 / (3 * alone);
    const Estimate fed = answer("resnet-50", document);
    BOOST_TEST((fed.time.step / second) == 3 * alone, boost::test_tools::tolerance(1e-9));
    BOOST_TEST(seconds_of(fed, "wait for input") == 2 * alone, boost::test_tools::tolerance(1e-9));
}

WorkloadDocument one_denoising_step(int ranks, StepSplit split) {
    WorkloadDocument document;
    document.task = Task::inference;
    document.micro_batch = 1;
    document.steps = 1;
    document.context = ranks;
    document.split = split;
    return document;
}

// Two passes of guidance that are two calls: a rank that runs one of them has half of the work, and
// nothing is exchanged around its attention.
BOOST_AUTO_TEST_CASE(ranks_of_guidance_take_a_pass_each) {
    WorkloadDocument document = one_denoising_step(1, {});
    document.guidance_passes = 2;
    const Estimate alone = answer("qwen-image-transformer", document);
    document.context = 2;
    document.split.guidance = 2;
    const Estimate apart = answer("qwen-image-transformer", document, 2);
    BOOST_TEST(seconds_of(apart, "denoiser") == seconds_of(alone, "denoiser") / 2,
               boost::test_tools::tolerance(1e-9));
    BOOST_TEST(seconds_of(apart, "context parallel") == 0.0);
}

LinkModel four_cards() {
    Cluster cluster;
    cluster.accelerator = catalog().accelerator("h100-sxm5-80gb");
    cluster.count = cluster.per_node = 4;
    return link_model(cluster, profiles().calibration);
}

const Bytes own_quarter = (4096 + 512) * 3072 * 2 / 4.0 * byte;

// FLUX.1 at 1024 pixels: 19 + 38 attentions of 4096 + 512 tokens and 3072 numbers of two bytes, of
// which each of four ranks holds a quarter; queries, keys, values and results change owner.
BOOST_AUTO_TEST_CASE(heads_are_exchanged_for_tokens) {
    const Estimate alone = answer("flux.1-dev-transformer", one_denoising_step(1, {}));
    const Estimate shared = answer("flux.1-dev-transformer", one_denoising_step(4, {}), 4);
    const double once =
        collective_time(four_cards(), Collective::all_to_all, own_quarter, 4, 4).time / second;
    BOOST_TEST(seconds_of(shared, "context parallel") == 57 * 4 * once,
               boost::test_tools::tolerance(1e-6));
    // Factors of norms, fixed times and small products do not shrink with the tokens.
    BOOST_TEST(seconds_of(shared, "denoiser") > seconds_of(alone, "denoiser") / 4);
    BOOST_TEST(seconds_of(shared, "denoiser") < seconds_of(alone, "denoiser") / 2);
}

// Keys and values go around three times beside the attention, which hides some of that. Results of
// four parts are added up in fp32.
BOOST_AUTO_TEST_CASE(rings_hide_what_they_send) {
    const Estimate heads = answer("flux.1-dev-transformer", one_denoising_step(4, {}), 4);
    const Estimate ring = answer("flux.1-dev-transformer", one_denoising_step(4, {.ring = 4}), 4);
    const LinkModel links = four_cards();
    const double sent =
        collective_time(links, Collective::point_to_point, 2.0 * own_quarter, 2, 2).time / second;
    BOOST_TEST(seconds_of(ring, "context parallel") > 0.0);
    BOOST_TEST(seconds_of(ring, "context parallel") < 57 * 3 * sent);
    BOOST_TEST(seconds_of(ring, "parts of the attention") >
               seconds_of(heads, "parts of the attention"));
}

// Stages that take the image patch by patch run their first step one after another.
BOOST_AUTO_TEST_CASE(the_first_step_of_patches_waits_for_all) {
    WorkloadDocument document = one_denoising_step(2, {.patches = 2});
    document.steps = 10;
    const Estimate found = answer("flux.1-dev-transformer", document, 2);
    BOOST_TEST(seconds_of(found, "first step of the patches") == seconds_of(found, "denoiser") / 10,
               boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_SUITE_END()
