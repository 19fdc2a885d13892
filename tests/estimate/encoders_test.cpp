// Encoders, encoder-decoders and vision transformers as services: operations and bytes by hand.
#include "estimate/serving/inference.h"
#include "estimate/serving/kv_cache.h"
#include "estimate/serving/serving_memory.h"
#include "estimate/serving/serving_pass.h"
#include "estimate/work/operator.h"
#include "spec/software_profile.h"
#include "tests/estimate/plan_fixture.h"
#include "tests/released.h"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace ridgeline;
namespace tt = boost::test_tools;

namespace {

Workload served(double input, double output) {
    Workload workload;
    workload.task = Task::inference;
    Serving& serving = workload.serving.emplace();
    serving.input_tokens = input;
    serving.output_tokens = output;
    return workload;
}

double flops(const Architecture& architecture, const Workload& workload, const Pass& pass) {
    const SoftwareProfile software;
    double sum = 0;
    for (const Block& block : list_operators(architecture, workload, software, pass)) {
        for (const Operator& op : block.operators) {
            sum += block.repeat * op.forward.base();
        }
    }
    return sum;
}

Pass prompt(double tokens) {
    return {.samples = 1, .tokens = tokens, .context = tokens, .training = false};
}

Pass step(double context) {
    return {.samples = 1, .tokens = 1, .context = context, .training = false};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(encoders)

// torchvision lists 17.56 GFLOPS (multiply-adds) for vit_b_16 at 224 pixels, 61.55 for vit_l_16.
BOOST_AUTO_TEST_CASE(vision_transformers_take_the_published_operations) {
    const double tokens = 197;  // 14 x 14 patches and the class token
    BOOST_TEST(flops(released::model("vit-b-16"), served(tokens, 0), prompt(tokens)) / 2e9 == 17.56,
               tt::tolerance(0.005));
    BOOST_TEST(flops(released::model("vit-l-16"), served(tokens, 0), prompt(tokens)) / 2e9 == 61.55,
               tt::tolerance(0.005));
}

// ALBERT base passes the layer of BERT base twelve times: equal operations but for the product from
// the narrow table (128 to 768), and the weights of one layer.
BOOST_AUTO_TEST_CASE(layers_that_share_weights_run_all_and_weigh_once) {
    const double n = 512;
    const double narrow = 2 * n * 128 * 768;
    const Architecture albert = released::model("albert-base-v2");
    BOOST_TEST(flops(albert, served(n, 0), prompt(n)) ==
                   flops(released::model("bert-base"), served(n, 0), prompt(n)) + narrow,
               tt::tolerance(0.001));
    double owned = 0;
    double layers = 0;
    for (const Block& block : list_operators(albert, served(n, 0), SoftwareProfile{}, prompt(n))) {
        layers += block.position == Block::Position::layer ? block.repeat : 0;
        for (const Operator& op : block.operators) {
            owned += op.tied ? 0 : block.repeat * op.parameters;
        }
    }
    BOOST_TEST(layers == 12);
    BOOST_TEST(owned == 11683584);
}

// BERT base: 12 layers of 768, feed-forward 3072; every token sees every other.
BOOST_AUTO_TEST_CASE(an_encoder_reads_all_at_once) {
    const double n = 512;
    const double products = 12 * 2 * n * (4.0 * 768 * 768 + 2.0 * 768 * 3072);
    const double attention = 12 * 4 * n * n * 768;
    BOOST_TEST(flops(released::model("bert-base"), served(n, 0), prompt(n)) == products + attention,
               tt::tolerance(0.005));
}

// T5 base: 12 + 12 layers of 768, feed-forward 3072 without a gate. The prompt is the encoder's;
// the decoder makes its first token of it, and keys and values of all of it for its cross
// attention.
BOOST_AUTO_TEST_CASE(t5_encodes_the_input_and_decodes_the_output) {
    const double n = 512;
    const Architecture t5 = released::model("t5-base");
    const double feed = 2.0 * 768 * 3072;
    const double square = 768.0 * 768;
    const double encoder = 12 * (2 * n * (4 * square + feed) + 4 * n * n * 768);
    const double decoder = 12 * (2 * (6 * square + feed) + 2 * n * 2 * square + 4 * n * 768);
    const double head = 2.0 * 768 * 32128;
    const Workload workload = served(n, 64);
    BOOST_TEST(flops(t5, workload, prompt(n)) == encoder + decoder + head, tt::tolerance(0.005));
    // A token later: no encoder, cross keys are there, 32 own keys and 512 of the encoder.
    const double later = 12 * (2 * (6 * square + feed) + 4 * (32 + n) * 768) + head;
    BOOST_TEST(flops(t5, workload, step(32)) == later, tt::tolerance(0.005));
}

// Keys and values, 16 bits: of 64 own tokens and of 512 that the encoder read.
BOOST_AUTO_TEST_CASE(the_cache_holds_the_output_and_what_the_encoder_read) {
    const Plan one;
    const double token = 12 * 2 * 768 * 2;
    BOOST_TEST(kv_cache_bytes(released::model("t5-base"), one, 2, 64, 512) == token * (64 + 512));
    const InferencePeak peak =
        serving_tensors(released::model("t5-base"), served(512, 64), SoftwareProfile{});
    BOOST_TEST(peak.cache.base() == token * (64 + 512));
    // Whisper hears 30 seconds as 1,500 frames, whatever the request says.
    const double audio = 32 * 2 * 1280 * 2;
    BOOST_TEST(kv_cache_bytes(released::model("whisper-large-v3"), one, 2, 448, 1500) ==
               audio * (448 + 1500));
}

// Whisper large: 32 + 32 layers of 1280, feed-forward 5120; two convolutions of width 3 before the
// encoder (128 mel bins at 3,000 frames, then stride 2).
BOOST_AUTO_TEST_CASE(whisper_encodes_its_frames) {
    const double n = 1500;
    const double square = 1280.0 * 1280;
    const double feed = 2.0 * 1280 * 5120;
    const double encoder = 32 * (2 * n * (4 * square + feed) + 4 * n * n * 1280);
    const double first = 32 * (2 * (6 * square + feed) + 2 * n * 2 * square + 4 * n * 1280);
    const double head = 2.0 * 1280 * 51866;
    const double convolutions = 2 * 3000 * 3.0 * 128 * 1280 + 2 * n * 3 * square;
    BOOST_TEST(flops(released::model("whisper-large-v3"), served(n, 448), prompt(n)) ==
                   encoder + first + head + convolutions,
               tt::tolerance(0.005));
}

// Hypotheses of one window read its cross keys and values once; each has its own of what it wrote.
BOOST_AUTO_TEST_CASE(hypotheses_share_what_was_heard) {
    Workload workload = served(1500, 448);
    SoftwareProfile software;
    software.runtime.kind = RuntimeKind::engine;
    const auto read = [&](double texts) {
        const Pass pass{.samples = texts, .tokens = 1, .context = 64, .training = false};
        double bytes = 0;
        for (const Block& block :
             list_operators(released::model("whisper-large-v3"), workload, software, pass)) {
            for (const Operator& op : block.operators) {
                bytes += op.role == Role::attention ? block.repeat * op.forward_traffic.base() : 0;
            }
        }
        return bytes;
    };
    const double one = read(1);
    const double apart = read(5);
    workload.batch.beam = 5;
    BOOST_TEST(read(5) == apart);  // of a service the samples are requests
    workload.serving->phase = ServingPhase::decode;
    BOOST_TEST(apart == 5 * one, tt::tolerance(1e-9));
    const double keys = 32 * 2.0 * 1280 * 2 * 1500;
    BOOST_TEST(apart - read(5) == 4 * keys, tt::tolerance(1e-6));
    BOOST_TEST(read(1) == one);
    // A loop of its own carries the hypotheses of its windows.
    workload.serving->phase = ServingPhase::end_to_end;
    software.runtime.kind = RuntimeKind::plain;
    BOOST_TEST(apart - read(5) == 4 * keys, tt::tolerance(1e-6));
}

// Scores of 16 bits, whose softmax is made in 32: written, scaled, masked, made the softmax, cast
// and read, 24 bytes of each in an eager stack; a compiler writes and reads them, makes one kernel
// of the rest, 8 bytes; stacks with a softmax of their own 16. Llama 3.2 1B: 16 layers of 32 heads.
BOOST_AUTO_TEST_CASE(scores_pass_through_memory_kernel_by_kernel) {
    const double n = 256;
    const auto moved = [&](AttentionKernel kernel, bool compiled, NormKernel norm) {
        Workload workload = served(n, 1);
        workload.attention = kernel;
        workload.compiled = compiled;
        SoftwareProfile software;
        software.kernels.norm = norm;
        double bytes = 0;
        for (const Block& block :
             list_operators(released::model("llama-3.2-1b"), workload, software, prompt(n))) {
            for (const Operator& op : block.operators) {
                bytes += op.role == Role::attention ? block.repeat * op.forward_traffic.base() : 0;
            }
        }
        return bytes;
    };
    const double scores = 16 * 32 * n * n;
    const double fused = moved(AttentionKernel::flash, false, NormKernel::torch);
    const auto each = [&](bool compiled, NormKernel norm) {
        return (moved(AttentionKernel::eager, compiled, norm) - fused) / scores;
    };
    BOOST_TEST(each(false, NormKernel::torch) == 24, tt::tolerance(1e-9));
    BOOST_TEST(each(true, NormKernel::torch) == 8, tt::tolerance(1e-9));
    BOOST_TEST(each(false, NormKernel::fused) == 16, tt::tolerance(1e-9));
}

// Latent attention of a prompt: 192 and 128 numbers a head, or the 576 and 512 of the latent
// vectors.
BOOST_AUTO_TEST_CASE(an_engine_may_attend_to_latent_vectors_in_prompts) {
    const double n = 256;
    const Architecture architecture = released::model("deepseek-v2-lite");
    const auto attention = [&](bool absorbs) {
        SoftwareProfile software;
        software.engine.absorbs_prompts = absorbs;
        double sum = 0;
        for (const Block& block : list_operators(architecture, served(n, 1), software, prompt(n))) {
            for (const Operator& op : block.operators) {
                sum += op.role == Role::attention ? block.repeat * op.forward.base() : 0;
            }
        }
        return sum;
    };
    BOOST_TEST(attention(true) / attention(false) == (576.0 + 512) / (192 + 128),
               tt::tolerance(1e-9));
}

namespace {

/// Whisper in a loop of its own on a part that runs at its peaks.
test::Fixture heard(double recording_s, double windows_at_once) {
    test::Fixture f;
    f.architecture = released::model("whisper-large-v2");
    f.workload.task = Task::inference;
    f.workload.compiled = false;
    f.workload.batch.audio_seconds = recording_s;
    Serving& serving = f.workload.serving.emplace();
    serving.input_tokens = 1500;
    serving.output_tokens = 100;
    serving.concurrency = windows_at_once;
    f.software.runtime.options.launch_per_kernel = 10.0 * microsecond;
    return f;
}

EstimateInput input_of_heard(test::Fixture& f) {
    f.device = device_model(f.part, f.calibration);
    f.links = link_model(f.cluster, f.calibration);
    return {f.architecture, f.workload, f.cluster, f.software, f.device, f.calibration, &f.links};
}

TimeEstimate time_of_heard(test::Fixture f) { return inference_time(input_of_heard(f)); }

}  // namespace

// A recording is heard in whole batches of its windows and one of those that are left: 600 s are 1
// + 570 / 30 windows of 30 s where the detector of pauses cuts them, 16 and 4; 60 s are 2, whatever
// more would run at once.
BOOST_AUTO_TEST_CASE(the_last_batch_of_a_recording_holds_what_is_left) {
    const auto batch = [](double windows) { return time_of_heard(heard(600, windows)).step; };
    const auto whole = [](double recording_s, double windows) {
        return time_of_heard(heard(recording_s, windows)).total / second;
    };
    BOOST_TEST(whole(600, 16) == (batch(16) + batch(4)) / second, tt::tolerance(1e-9));
    BOOST_TEST(whole(60, 16) == batch(2) / second, tt::tolerance(1e-9));
    BOOST_TEST(whole(60, 2) == batch(2) / second, tt::tolerance(1e-9));
}

// A plain loop that holds weights in fp32 and multiplies in fp16 reads 4 bytes of each, writes 2
// and reads 2, by a kernel more for each weight and each bias; Transformers multiplies what it
// holds.
BOOST_AUTO_TEST_CASE(weights_in_fp32_are_cast_before_each_product) {
    const auto passed = [](DType weights, Version transformers) {
        test::Fixture f = heard(30, 1);
        f.workload.compute = ComputeType::fp16;
        f.workload.weights = weights;
        f.software.runtime.libraries.transformers = transformers;
        const EstimateInput input = input_of_heard(f);
        const Pass step{.samples = 1, .tokens = 1, .context = 64, .training = false};
        return serve_pass(input, f.links, step);
    };
    const ServedPass half = passed(DType::fp16, Version{});
    const ServedPass wide = passed(DType::fp32, Version{});
    // Of each of 32 layers: queries, keys, values and outputs of what was written, queries and
    // outputs of what is heard, 1280 x 1280 each, two of 1280 x 5120; the head of 51,865 rows.
    const double weights = 32 * (6 * 1280.0 * 1280 + 2 * 1280.0 * 5120) + 51865.0 * 1280;
    BOOST_TEST(wide.bytes - half.bytes == 6 * weights, tt::tolerance(2e-3));  // biases beside them
    BOOST_TEST(wide.streaming - half.streaming == 6 * weights / 1e12, tt::tolerance(2e-3));
    BOOST_TEST(wide.products == half.products, tt::tolerance(1e-9));
    // Eight weights a layer and seven biases (keys have none), the head.
    BOOST_TEST(wide.launches - half.launches == 32 * 15 + 1);
    BOOST_TEST(passed(DType::fp32, Version{4, 40}).launches ==
               passed(DType::fp16, Version{4, 40}).launches);
}

// openai-whisper fills a model in fp32 from a file of fp16 that lies on the card: 6 bytes a weight
// while it loads, which its allocator keeps (the table of the authors says about 10 GB).
BOOST_AUTO_TEST_CASE(a_checkpoint_beside_the_model_is_the_peak) {
    test::Fixture f = heard(30, 1);
    f.workload.compute = ComputeType::fp16;
    f.workload.weights = DType::fp32;
    const Bytes without = inference_peak(input_of_heard(f)).total;
    f.software.runtime.options.checkpoint_on_device = true;
    const InferencePeak peak = inference_peak(input_of_heard(f));
    const double parameters = 1543304960;  // of whisper-large-v2, as published
    BOOST_TEST(peak.total.base() == 6 * parameters, tt::tolerance(2e-3));
    BOOST_TEST(peak.instants[peak.index].name == "load");
    BOOST_TEST(without.base() < 4.5 * parameters);
}

BOOST_AUTO_TEST_SUITE_END()
