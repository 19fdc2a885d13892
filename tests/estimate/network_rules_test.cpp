// Rules of time of networks, one by one: what an eager stack runs beside the products, who waits
// for whom, in how many pieces gradients leave.
#include "estimate/estimate.h"
#include "estimate/families/families.h"
#include "estimate/memory/replayed_steps.h"
#include "estimate/resolve/resolve.h"
#include "estimate/time/collective.h"
#include "tests/released.h"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace ridgeline;

namespace {

using released::catalog;
using released::profiles;

Estimate answer_of(const Architecture& architecture, const WorkloadDocument& document,
                   int count = 1, const std::string& part = "v100-sxm2-16gb") {
    const SoftwareProfile* software = profiles().software_profile(*document.framework);
    BOOST_TEST_REQUIRE((software != nullptr));
    const auto resolved = resolve(document, architecture, *software, count);
    BOOST_TEST_REQUIRE(resolved.has_value());
    const Accelerator& card = *catalog().accelerator(part);
    Cluster cluster;
    cluster.accelerator = &card;
    cluster.count = cluster.per_node = count;
    const DeviceModel device = device_model(card, profiles().calibration);
    return estimate(EstimateInput{architecture, resolved->workload, cluster, *software, device,
                                  profiles().calibration},
                    nullptr);
}

TimeEstimate time_of(const Architecture& architecture, const WorkloadDocument& document,
                     int count = 1, const std::string& part = "v100-sxm2-16gb") {
    return answer_of(architecture, document, count, part).time;
}

WorkloadDocument adapters(std::string_view framework) {
    WorkloadDocument document;
    document.framework = framework;
    document.task = Task::train;
    document.has_lora = true;
    document.method = Method::lora;
    document.weights = document.lora_weights = DType::bf16;
    document.compute = ComputeType::bf16;
    document.micro_batch = document.global_batch = 1;
    return document;
}

double part_of(const TimeEstimate& time, std::string_view name) {
    double seconds = 0;
    for (const TimeComponent& component : time.components) {
        seconds += component.name == name ? component.time.base() : 0;
    }
    return seconds;
}

double operators_named(const Architecture& architecture, const Workload& workload,
                       std::string_view name) {
    const Program program = program_of(architecture, workload, SoftwareProfile{});
    double count = 0;
    for (const Block& block : program.models[program.main].blocks) {
        for (const Operator& op : block.operators) {
            count += op.name == name ? block.repeat : 0;
        }
    }
    return count;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(network_rules)

// Norms are part of the convolutions when YOLO infers and stand apart when it trains; the
// parameters are the same.
BOOST_AUTO_TEST_CASE(yolo_folds_its_norms_before_it_infers) {
    NetworkSizes sizes;
    sizes.type = "yolo";
    sizes.words = {{"family", "yolov8"}};
    sizes.numbers = {{"depth_multiple", {1.0 / 3}}, {"width_multiple", {0.25}}};
    Architecture yolo;
    yolo.kind = ModelKind::image;
    yolo.network = sizes;
    Workload workload;
    workload.compute = ComputeType::fp32;
    workload.weights = DType::fp32;
    workload.batch.image_size = 640;
    workload.task = Task::train;
    const double norms = operators_named(yolo, workload, "batch norm");
    const double trained = program_of(yolo, workload, SoftwareProfile{}).models.front().parameters;
    workload.task = Task::inference;
    BOOST_TEST(norms > 50);
    BOOST_TEST(operators_named(yolo, workload, "batch norm") == 0);
    BOOST_TEST(operators_named(yolo, workload, "folded norm") == norms);
    BOOST_TEST(program_of(yolo, workload, SoftwareProfile{}).models.front().parameters == trained);
}

// Biases of convolutions, copies of group norm to channels first and the divisions by one cost an
// eager U-Net more than its joined pointwise work alone: a fifth at a batch of 16 (huggingface/
// diffusers, torch2.0.md: 1.16 to 1.22 on four cards).
BOOST_AUTO_TEST_CASE(an_eager_u_net_pays_for_what_a_compiler_joins) {
    WorkloadDocument document;
    document.framework = "diffusers";
    document.task = Task::inference;
    document.weights = DType::fp16;
    document.compute = ComputeType::fp16;
    document.micro_batch = 16;
    document.channels_last = true;
    document.compiled = true;
    const Architecture u_net = released::model("sd-1.5-unet");
    const double compiled = time_of(u_net, document).step.base();
    document.compiled = false;
    const double eager = time_of(u_net, document).step.base();
    BOOST_TEST(eager > 1.05 * compiled);
    BOOST_TEST(eager < 1.3 * compiled);
}

// The largest of n times that lie evenly between bounds is (n - 1) / (n + 1) of the half width
// above the mean; a rank alone waits for nobody, and a submission sorts what it trains on.
BOOST_AUTO_TEST_CASE(ranks_wait_for_the_longest_sentences) {
    const Architecture translation = released::model("gnmt-4layer");
    WorkloadDocument document;
    document.framework = "pytorch";
    document.task = Task::train;
    document.micro_batch = 64;
    BOOST_TEST(part_of(time_of(translation, document), "slowest rank") == 0.0);
    const auto share = [&](int count) {
        const TimeEstimate time = time_of(translation, document, count);
        const double waits = part_of(time, "slowest rank");
        return waits / (time.step.base() - waits);
    };
    BOOST_TEST(share(2) / share(8) == (1.0 / 3) / (7.0 / 9), boost::test_tools::tolerance(1e-6));
    BOOST_TEST(share(8) > 0.05);
    document.framework = "mlperf";
    BOOST_TEST(part_of(time_of(translation, document, 8), "slowest rank") == 0.0);
}

// A search keeps programs, tensors and replays of one step for others: it must find what each has
// of its own.
BOOST_AUTO_TEST_CASE(kept_steps_are_what_they_would_be_anew) {
    const SoftwareProfile& software = *profiles().software_profile("pytorch");
    const Accelerator& card = *catalog().accelerator("v100-sxm2-16gb");
    const DeviceModel device = device_model(card, profiles().calibration);
    int compared = 0;
    for (const char* id : {"resnet-50", "dcgan", "dlrm-dcnv2", "sdxl-unet", "unet3d"}) {
        const Architecture architecture = released::model(id);
        ReplayedSteps kept;
        for (const int at : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}) {
            const int count = 1 << at % 3;
            WorkloadDocument document;
            document.task = Task::train;
            document.framework = "pytorch";
            document.micro_batch = 1 + at % 2;
            document.global_batch = *document.micro_batch * count * (1 + at / 6);
            document.recompute = at % 4 == 3 ? RecomputeMode::full : RecomputeMode::none;
            const auto resolved = resolve(document, architecture, software, count);
            BOOST_TEST_REQUIRE(resolved.has_value(), id);
            Cluster cluster;
            cluster.accelerator = &card;
            cluster.count = cluster.per_node = count;
            EstimateInput input{architecture, resolved->workload,    cluster, software,
                                device,       profiles().calibration};
            const Estimate anew = estimate(input, nullptr);
            input.replayed = &kept;
            const Estimate found = estimate(input, nullptr);
            BOOST_TEST(found.memory.process.base() == anew.memory.process.base(), id << at);
            BOOST_TEST(found.memory.allocated.base() == anew.memory.allocated.base(), id << at);
            BOOST_TEST(found.time.step.base() == anew.time.step.base(), id << at);
            ++compared;
        }
    }
    BOOST_TEST(compared == 60);
}

// torchao swaps linear layers alone: attention, most of a long clip, stays in 16 bits; an engine
// has both in 8.
BOOST_AUTO_TEST_CASE(attention_stays_in_16_bits_where_layers_are_swapped) {
    const Architecture clip = released::model("hunyuanvideo-transformer");
    WorkloadDocument document;
    document.task = Task::inference;
    const auto seconds = [&](const char* framework, const char* quantization) {
        document.framework = framework;
        document.quantization = quantization;
        return part_of(time_of(clip, document, 1, "h100-sxm5-80gb"), "denoiser");
    };
    BOOST_TEST(seconds("diffusers", "fp8") > 0.85 * seconds("diffusers", "none"));
    BOOST_TEST(seconds("tensorrt", "fp8") < 0.75 * seconds("tensorrt", "none"));
}

// Frozen weights that stay on the host are on the card one at a time; adapters are always there.
BOOST_AUTO_TEST_CASE(frozen_weights_come_from_the_host_one_by_one) {
    const Architecture wan = released::model("wan2.1-t2v-14b-transformer");
    WorkloadDocument document = adapters("simpletuner");
    document.image_size = 480;
    document.frames = 5;
    document.recompute = RecomputeMode::full;
    const auto peak = [&] {
        return answer_of(wan, document, 1, "h100-sxm5-80gb").memory.allocated / gibibyte;
    };
    const double resident = peak();
    document.offload_parameters = OffloadTarget::cpu;
    BOOST_TEST(resident - peak() > 24.0);
    BOOST_TEST(resident - peak() < 14.4e9 * 2 / gibibyte.base());
}

// torchao multiplies by an expanded copy of a weight in fp8, which waits for the backward pass: two
// bytes of each of 2.6 G weights beside what int8 takes, unless blocks are computed again.
BOOST_AUTO_TEST_CASE(weights_in_fp8_are_expanded_for_the_backward_pass) {
    const Architecture lumina = released::model("lumina2-transformer");
    WorkloadDocument document = adapters("simpletuner");
    document.image_size = 512;
    const auto more = [&](RecomputeMode mode) {
        document.recompute = mode;
        const auto peak = [&](std::string_view format) {
            document.quantization = format;
            return answer_of(lumina, document, 1, "h100-sxm5-80gb").memory.allocated / gibibyte;
        };
        return peak("fp8") - peak("int8");
    };
    BOOST_TEST(more(RecomputeMode::none) > 4.0);
    BOOST_TEST(more(RecomputeMode::none) < 5.2);
    BOOST_TEST(more(RecomputeMode::full) < 0.5);
}

// A head over crops has the channels that its neck gives: behind a dilated fourth stage 2048, which
// a convolution of 3 x 3 brings to 256 over 256 crops of 14 x 14 (1.4 TFLOP a step).
BOOST_AUTO_TEST_CASE(a_mask_head_reads_what_its_neck_gives) {
    NetworkSizes sizes;
    sizes.type = "detection";
    sizes.numbers = {{"classes", {80}}};
    WorkloadDocument document;
    document.framework = "detectron2";
    document.task = Task::train;
    document.micro_batch = document.global_batch = 2;
    document.image_size = 1333;
    document.image_height = 800;
    const auto mask_operations = [&](std::string_view neck, std::string_view head) {
        sizes.words = {
            {"backbone", "r50"}, {"head", std::string(head)}, {"neck", std::string(neck)}};
        Architecture architecture;
        architecture.network = sizes;
        const auto resolved =
            resolve(document, architecture, *profiles().software_profile("detectron2"), 1);
        BOOST_TEST_REQUIRE(resolved.has_value());
        double sum = 0;
        const Program program = program_of(architecture, resolved->workload, SoftwareProfile{});
        for (const Block& block : program.models[program.main].blocks) {
            for (const Operator& op : block.operators) {
                sum += (op.forward.base() + op.backward.base()) * block.repeat;
            }
        }
        return sum;
    };
    const auto of_masks = [&](std::string_view neck) {
        return mask_operations(neck, "mask-rcnn") - mask_operations(neck, "faster-rcnn");
    };
    const double first = 3 * 2.0 * 256 * 14 * 14 * 256 * 9;  // of each channel of a crop
    BOOST_TEST(of_masks("dc5") - of_masks("fpn") == first * (2048 - 256),
               boost::test_tools::tolerance(0.01));
    BOOST_TEST(of_masks("c4") < 0.5 * of_masks("fpn"));
}

// kohya-ss/sd-scripts, pull request 1259: whole tuning of SDXL under checkpointing, one picture of
// 1024 px, takes 10 GB in bf16 and 16.4 GB in fp32 when Adafactor steps each weight as its gradient
// comes. Gradients that wait for the end of the pass are as large as the weights.
BOOST_AUTO_TEST_CASE(gradients_that_are_used_at_once_take_nothing) {
    WorkloadDocument document = adapters("diffusers");
    document.method = Method::full;
    document.has_lora = false;
    document.micro_batch = document.global_batch = 1;
    document.image_size = 1024;
    document.recompute = RecomputeMode::full;
    document.optimizer = "adafactor";
    const auto gigabytes = [&](std::optional<DType> weights, bool at_once) {
        document.weights = document.gradients = weights;
        document.master_weights = false;
        document.optimizer_in_backward = at_once;
        const Estimate made = answer_of(released::model("sdxl-unet"), document, 1, "rtx-4090");
        return made.memory.process.base() / 1e9;
    };
    BOOST_TEST(gigabytes(DType::bf16, true) == 10, boost::test_tools::tolerance(0.1));
    BOOST_TEST(gigabytes(DType::fp32, true) == 16.4, boost::test_tools::tolerance(0.1));
    BOOST_TEST(gigabytes(DType::bf16, false) - gigabytes(DType::bf16, true) > 2.57 * 2 - 1);
}

// SDXL's autoencoder leaves the range of fp16: scripts that train beside it run it in fp32 (with
// one that was mended 500 steps on a T4 took half as long, huggingface/diffusers #4470), in bf16 as
// it is, and that of Stable Diffusion 1.5 in any type.
BOOST_AUTO_TEST_CASE(an_autoencoder_that_overflows_encodes_in_fp32) {
    const auto ratio = [](ComputeType compute, const std::string& part) {
        const auto encodes = [&](const char* model) {
            WorkloadDocument document = adapters("diffusers");
            document.weights = document.lora_weights = std::nullopt;
            document.compute = compute;
            document.image_size = 512;
            return part_of(time_of(released::model(model), document, 1, part), "encode images");
        };
        return encodes("sdxl-unet") / encodes("sd-1.5-unet");  // of one shape
    };
    BOOST_TEST(ratio(ComputeType::fp16, "v100-sxm2-16gb") > 2);
    BOOST_TEST(ratio(ComputeType::bf16, "a100-sxm4-80gb") == 1, boost::test_tools::tolerance(1e-9));
}

// A seed of ogbn-papers100M meets 1 + 15 + 150 + 750 nodes of 128 features in fp32 and as many
// lists of neighbours, in the host's memory: scattered rows reach half of 16 GB/s.
BOOST_AUTO_TEST_CASE(features_in_host_memory_come_over_the_slot) {
    WorkloadDocument document;
    document.framework = "pytorch";
    document.task = Task::train;
    document.compute = ComputeType::fp32;
    document.micro_batch = document.global_batch = 1024;
    const TimeEstimate time = time_of(released::model("graphsage-ogbn-papers100m-3x256"), document);
    const double gathered = 1024 * 916.0 * (128 * 4 + 32) / (16e9 / 2);
    BOOST_TEST(part_of(time, "forward") > gathered);
    BOOST_TEST(part_of(time, "forward") < 1.5 * gathered);
}

// Task-aligned matching of YOLOv8 compares boxes with cells when all maps are alive: 100 boxes,
// 8,400 cells and 116 bytes are 93 MiB a picture. YOLOv5 matches a box with few anchors.
BOOST_AUTO_TEST_CASE(boxes_are_matched_to_cells) {
    WorkloadDocument document;
    document.framework = "mmdetection";
    document.task = Task::train;
    document.image_size = 640;
    const auto each = [&](const std::string& id) {
        const Architecture yolo = released::model(id);
        const auto at = [&](int batch) {
            document.micro_batch = document.global_batch = batch;
            return answer_of(yolo, document).memory.allocated / gibibyte;
        };
        return (at(16) - at(8)) / 8;
    };
    const double matched = each("yolov8n") - each("yolov5n");
    BOOST_TEST(matched > 0.0907);
    BOOST_TEST(matched < 0.0907 + 0.05);
}

BOOST_AUTO_TEST_SUITE_END()
