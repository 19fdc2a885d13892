// Encoders, encoder-decoders and vision transformers as services: operations and bytes by hand.
#include "estimate/serving/kv_cache.h"
#include "estimate/serving/serving_memory.h"
#include "estimate/work/operator.h"
#include "spec/software_profile.h"
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

BOOST_AUTO_TEST_SUITE_END()
