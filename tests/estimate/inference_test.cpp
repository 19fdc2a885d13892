#include "estimate/serving/inference.h"

#include "estimate/serving/pass_fold.h"
#include "estimate/serving/serving_pass.h"
#include "tests/estimate/plan_fixture.h"

#include <boost/test/unit_test.hpp>
#include <rapidcheck.h>

#include <limits>
#include <utility>

using namespace ridgeline;
using ridgeline::test::Fixture;
namespace tt = boost::test_tools;

BOOST_AUTO_TEST_SUITE(inference)

namespace {

Fixture a_served_model(double input, double output, double concurrency,
                       ServingPhase phase = ServingPhase::end_to_end) {
    Fixture f;
    f.workload.task = Task::inference;
    Serving& serving = f.workload.serving.emplace();
    serving.input_tokens = input;
    serving.output_tokens = output;
    serving.concurrency = concurrency;
    serving.phase = phase;
    f.software.engine.fuses_products = true;
    f.software.runtime.kind = RuntimeKind::engine;
    return f;
}

TimeEstimate time_of(Fixture& f) {
    f.device = device_model(f.part, f.calibration);
    f.links = link_model(f.cluster, f.calibration);
    const EstimateInput input{f.architecture, f.workload,    f.cluster, f.software,
                              f.device,       f.calibration, &f.links};
    return inference_time(input);
}

/// Weights of the fixture's layers: q, o 2048 x 2048; k, v 2048 x 1024; three of 2048 x 8192; the
/// head 2048 x 32000.
constexpr double layer_weights = 2.0 * 2048 * 2048 + 2.0 * 2048 * 1024 + 3.0 * 2048 * 8192;
constexpr double weights = 24 * layer_weights + 2048.0 * 32000;

}  // namespace

BOOST_AUTO_TEST_CASE(a_decode_step_streams_the_weights_and_the_cache_once) {
    Fixture f = a_served_model(0, 64, 1, ServingPhase::decode);
    const double tpot = time_of(f).tpot.base();
    const double bytes = 2 * weights;
    // 1 TB/s: 2.87 ms. A context of 32 tokens adds a thousandth; norms and activations little.
    BOOST_TEST(tpot > bytes / 1e12);
    BOOST_TEST(tpot < 1.05 * bytes / 1e12);
}

// A simulated load asks for the attention of dozens of passes: that of the whole pass, to the last
// bit, with layers on the host too.
BOOST_AUTO_TEST_CASE(attention_alone_is_that_of_the_whole_pass) {
    Fixture f = a_served_model(512, 64, 8);
    f.device = device_model(f.part, f.calibration);
    f.links = link_model(f.cluster, f.calibration);
    const EstimateInput input{f.architecture, f.workload,    f.cluster, f.software,
                              f.device,       f.calibration, &f.links};
    for (const std::optional<int> layers_on_card :
         {std::optional<int>(), std::optional<int>(0), std::optional<int>(5)}) {
        f.workload.serving->gpu_layers = layers_on_card;
        for (const double tokens : {1.0, 300.0}) {
            const Pass pass{.samples = 3, .tokens = tokens, .context = 700, .training = false};
            const double whole = serve_pass(input, f.links, pass).attention;
            BOOST_TEST(pass_attention(input, f.links, pass) == whole);
            BOOST_TEST((whole > 0 || layers_on_card == 0));
        }
    }
}

BOOST_AUTO_TEST_CASE(quantised_weights_are_read_as_they_are_stored) {
    Fixture plain = a_served_model(0, 64, 1, ServingPhase::decode);
    Fixture packed = a_served_model(0, 64, 1, ServingPhase::decode);
    packed.workload.quantization.name = "fp8";
    const double saved = time_of(plain).tpot.base() - time_of(packed).tpot.base();
    // Half of the layers' bytes; the head stays in 16 bit. Scales cost less than a hundredth.
    BOOST_TEST(saved == 24 * layer_weights / 1e12, tt::tolerance(0.02));
}

BOOST_AUTO_TEST_CASE(a_narrow_cache_read_at_half_the_rate_takes_as_long_as_a_wide_one) {
    Fixture wide = a_served_model(4096, 64, 32, ServingPhase::decode);
    Fixture narrow = a_served_model(4096, 64, 32, ServingPhase::decode);
    narrow.workload.kv_cache = DType::fp8;
    const double twice_as_fast = time_of(narrow).tpot.base();
    narrow.software.engine.narrow_cache_shares = {{.architecture = "", .share = 0.5}};
    BOOST_TEST(time_of(narrow).tpot.base() == time_of(wide).tpot.base(), tt::tolerance(1e-6));
    BOOST_TEST(twice_as_fast < time_of(wide).tpot.base());
}

BOOST_AUTO_TEST_CASE(a_head_that_is_quantised_too_is_the_largest_matrix_while_loading) {
    Fixture f = a_served_model(16, 16, 1);
    f.workload.quantization.name = "nf4";
    f.software.kernels.adapter.quantizer = Quantizer::lightning;
    f.device = device_model(f.part, f.calibration);
    const EstimateInput input{f.architecture, f.workload, f.cluster,
                              f.software,     f.device,   f.calibration};
    const MemoryEstimate memory = estimate_memory(input);
    const auto bytes_of = [&memory](std::string_view name) {
        double bytes = 0;
        for (const Component& component : memory.instants.front().components) {
            bytes += component.name == name ? component.size.base() : 0;
        }
        return bytes;
    };
    BOOST_TEST(memory.instants.front().name == "load");
    BOOST_TEST(bytes_of("matrix being quantised") == 2 * 2 * 2048.0 * 32000);
    // The embedding and 2 x 24 + 1 norms of 2048 stay in 16 bits.
    BOOST_TEST(bytes_of("weights") == 2 * (2048.0 * 32000 + 49 * 2048));
}

BOOST_AUTO_TEST_CASE(each_kernel_of_a_step_pays_its_gap_and_each_step_its_host) {
    Fixture f = a_served_model(0, 64, 1, ServingPhase::decode);
    const double without = time_of(f).tpot.base();
    f.software.engine.step_overhead = 500.0 * microsecond;
    BOOST_TEST(time_of(f).tpot.base() - without == 500e-6, tt::tolerance(1e-6));
    f.software.engine.kernel_gap = 1.0 * microsecond;
    // A layer: four products (q, k, v as one; gate and up as one), two norms, the rotary kernel,
    // append and attend, the activation = 10 kernels.
    const double gaps = time_of(f).tpot.base() - without - 500e-6;
    BOOST_TEST(gaps > 24 * 10e-6);
    BOOST_TEST(gaps < 24 * 10e-6 + 6e-6);
}

BOOST_AUTO_TEST_CASE(a_slow_clock_makes_gaps_longer) {
    Fixture f = a_served_model(0, 64, 1, ServingPhase::decode);
    const double without = time_of(f).tpot.base();
    f.software.engine.kernel_gap = 1.0 * microsecond;
    f.part.boost_clock_mhz = 1970;
    const double gaps = time_of(f).tpot.base() - without;
    f.part.boost_clock_mhz = 985;  // half as many cycles a second
    BOOST_TEST(time_of(f).tpot.base() - without == 2 * gaps, tt::tolerance(1e-6));
}

// 1270 MHz of an M1 Max by its 10.4 TFLOP/s of 32 cores.
BOOST_AUTO_TEST_CASE(apples_clock_follows_from_its_rate) {
    Fixture f = a_served_model(0, 64, 1, ServingPhase::decode);
    f.part.architecture = "Apple GPU";
    f.part.peak_vector_fp32 = 10.4 * teraflop_per_second;
    f.part.units = 32;
    const double without = time_of(f).tpot.base();
    f.software.engine.kernel_gap = 1.0 * microsecond;
    const double gaps = time_of(f).tpot.base() - without;
    BOOST_TEST(gaps > 24 * 10e-6 * 1970 / 1270);
    BOOST_TEST(gaps < (24 * 10e-6 + 6e-6) * 1970 / 1269);
}

// An encoder keeps no cache to append to: a kernel less in each of the 24 layers.
BOOST_AUTO_TEST_CASE(an_encoder_appends_to_no_cache) {
    const auto gaps = [](bool causal) {
        Fixture f = a_served_model(64, 1, 1, ServingPhase::prefill);
        f.architecture.stacks.back().causal = causal;
        const double without = time_of(f).ttft.base();
        f.software.engine.kernel_gap = 1.0 * microsecond;
        return time_of(f).ttft.base() - without;
    };
    BOOST_TEST(gaps(true) - gaps(false) == 24e-6, tt::tolerance(1e-6));
}

// A stack that joins nothing runs the bias of each product as a kernel: q, k and v of each layer.
BOOST_AUTO_TEST_CASE(a_bias_is_a_kernel_where_nothing_is_joined) {
    Fixture f = a_served_model(0, 64, 1, ServingPhase::decode);
    f.software.engine.fuses_products = false;
    f.software.engine.kernel_gap = 1.0 * microsecond;
    const double without = time_of(f).tpot.base();
    f.architecture.stacks.back().qkv_bias = true;
    const double gaps = time_of(f).tpot.base() - without;
    BOOST_TEST(gaps > 24 * 3e-6);
    BOOST_TEST(gaps < 24 * 3e-6 + 2e-6);
}

// A layer launches four products, two norms, two sums, two rotations, attention and activation in
// 12 ms of 1 ms each where no graph holds it; the device takes 3 ms for all layers.
BOOST_AUTO_TEST_CASE(an_engine_that_says_what_launches_take_captures_short_sequences_alone) {
    Fixture f = a_served_model(8000, 64, 1, ServingPhase::decode);
    f.software.engine.scheduler.chunks = false;
    f.workload.cuda_graphs = true;
    f.workload.compiled = false;
    f.software.engine.kernel_gap = {};
    const double captured = time_of(f).tpot.base();
    f.software.runtime.options.launch_per_kernel = 1000.0 * microsecond;
    BOOST_TEST(time_of(f).tpot.base() == captured);
    f.workload.serving->input_tokens = 9000;
    f.software.engine.scheduler.chunks = true;
    BOOST_TEST(time_of(f).tpot.base() < 5e-3);  // one that cuts prompts has graphs of any length
    f.software.engine.scheduler.chunks = false;
    BOOST_TEST(time_of(f).tpot.base() > 24 * 12e-3);
    BOOST_TEST(time_of(f).tpot.base() < 24 * 12e-3 + 5e-3);
}

BOOST_AUTO_TEST_CASE(an_engine_without_graphs_launches_its_modules) {
    Fixture f = a_served_model(64, 64, 1, ServingPhase::decode);
    f.workload.cuda_graphs = false;
    f.workload.compiled = false;
    f.software.engine.kernel_gap = {};
    f.software.runtime.options.launch_per_kernel = 1000.0 * microsecond;
    // Two norms, q, k and v as one, their turn, keys and values put in place, attention, o, gate
    // and up as one, activation, down.
    BOOST_TEST(time_of(f).tpot.base() > 24 * 11e-3);
    BOOST_TEST(time_of(f).tpot.base() < 24 * 11e-3 + 10e-3);
}

// Steps of decode come from a graph, the pass of a prompt does not: its 24 layers start 11 kernels
// each, whatever its length.
BOOST_AUTO_TEST_CASE(an_engine_may_have_graphs_of_decode_alone) {
    Fixture f = a_served_model(64, 64, 1);
    f.workload.cuda_graphs = true;
    f.workload.compiled = false;
    f.software.engine.kernel_gap = {};
    f.software.runtime.options.launch_per_kernel = 1000.0 * microsecond;
    const TimeEstimate all = time_of(f);
    f.software.engine.prompt_graphs = false;
    const TimeEstimate decode_alone = time_of(f);
    BOOST_TEST(decode_alone.tpot.base() == all.tpot.base());
    BOOST_TEST(decode_alone.ttft.base() > 24 * 11e-3);
    BOOST_TEST(decode_alone.ttft.base() < 24 * 11e-3 + 10e-3);
    BOOST_TEST(all.ttft.base() < 10e-3);
}

// One row is multiplied as 64 on Hopper: 128 operations a weight at 10 TFLOP/s, where memory takes
// 2 bytes at 1 TB/s.
BOOST_AUTO_TEST_CASE(a_row_takes_as_long_as_a_tile_where_matrix_units_are_slow) {
    Fixture f = a_served_model(0, 64, 1, ServingPhase::decode);
    f.part.peak_dense[static_cast<std::size_t>(ComputeType::bf16)] = 10.0 * teraflop_per_second;
    BOOST_TEST(time_of(f).tpot.base() < 1.1 * 2 * weights / 1e12);
    f.part.architecture = "Hopper";
    BOOST_TEST(time_of(f).tpot.base() > 128 * weights / 10e12);
    // Modules of torch take a kernel of vectors for it.
    f.software.runtime.kind = RuntimeKind::plain;
    f.software.runtime.libraries.transformers = {4, 51};
    f.workload.cuda_graphs = true;
    BOOST_TEST(time_of(f).tpot.base() < 1.1 * 2 * weights / 1e12);
}

BOOST_AUTO_TEST_CASE(a_prompt_runs_near_its_compute_bound) {
    Fixture f = a_served_model(8192, 1, 1, ServingPhase::prefill);
    const double ttft = time_of(f).ttft.base();
    const double flops = 2 * 8192.0 * 24 * layer_weights;
    BOOST_TEST(ttft > flops / 100e12);
    BOOST_TEST(ttft < 1.5 * flops / 100e12);
}

BOOST_AUTO_TEST_CASE(packed_weights_are_multiplied_in_8_bits_where_the_part_can) {
    Fixture f = a_served_model(2048, 1, 1, ServingPhase::prefill);
    f.software.engine.fuses_products = false;
    f.workload.quantization.name = "q8_0";
    const double by_library = time_of(f).ttft.base();
    f.software.engine.integer_share = 0.5;
    BOOST_TEST(time_of(f).ttft.base() == by_library);  // no such units
    const auto with = [&f](double units, double vectors) {
        f.part.peak_dense[static_cast<std::size_t>(ComputeType::int8)] =
            units * teraflop_per_second;
        f.part.peak_vector_fp32 = vectors * teraflop_per_second;
        return time_of(f).ttft.base();
    };
    // An eighth of an operation in fp32 for each of 8 bits, and half of either rate is reached.
    const double operations = 2 * 2048.0 * 24 * layer_weights / 0.5;
    const double fast = with(400, 50);
    BOOST_TEST(fast > operations * (1 / 400e12 + 1 / (8 * 50e12)));
    BOOST_TEST(with(200, 50) - fast == operations / 400e12, tt::tolerance(0.02));
    BOOST_TEST(with(400, 25) - fast == operations / (8 * 50e12), tt::tolerance(0.02));
}

// Four pairs an instruction of the vector units, of which 0.43 is reached with a sum in fp32 for
// each 32 weights: 1 / (4 x 10) + 1 / (8 x 10) of a teraflop.
BOOST_AUTO_TEST_CASE(packed_weights_are_multiplied_by_dot_products_where_no_matrix_units_are) {
    Fixture f = a_served_model(2048, 1, 1, ServingPhase::prefill);
    f.software.engine.fuses_products = false;
    f.software.engine.half_accumulate = true;
    f.workload.quantization.name = "q8_0";
    f.part.architecture = "GCN 5.1";
    f.part.peak_vector_fp32 = 10.0 * teraflop_per_second;
    const double products = 2 * 2048.0 * 24 * layer_weights / 0.43 * (1 / 40e12 + 1 / 80e12);
    BOOST_TEST(time_of(f).ttft.base() > products);
    BOOST_TEST(time_of(f).ttft.base() < 1.05 * products);
}

// Prompts of so few rows run the kernels that decode runs: no share of a product's rate, no casts.
BOOST_AUTO_TEST_CASE(passes_of_few_rows_run_as_decode_does) {
    Fixture f = a_served_model(512, 1, 1, ServingPhase::prefill);
    f.software.engine.fuses_products = false;
    f.software.engine.half_accumulate = true;
    f.software.engine.prompt_shares = {{"", 0.5}};
    f.workload.quantization.name = "q8_0";
    const double step = 34.0 / 32 * weights / 1e12;  // q8_0: 34 bytes for 32 weights
    for (const double rows : {1.0, 4.0}) {
        f.workload.serving->iteration_tokens = rows;
        const double pass = time_of(f).ttft.base() * rows / 512;
        BOOST_TEST(pass > 0.99 * step, rows);
        BOOST_TEST(pass < 1.15 * step, rows);
    }
    f.workload.serving->iteration_tokens = 16;
    BOOST_TEST(time_of(f).ttft.base() * 16 / 512 > 1.8 * step);
}

// 10 units at 1 GHz issue 128 lanes a cycle: 1.28e12 a second. q4_0 takes 3.1 to unpack a weight
// and 3.1 a row, q2_k 13.2 and its wider tensors 15.2; the output table (q6_k,
// 6.5625 bits) is read.
BOOST_AUTO_TEST_CASE(types_of_few_bits_are_bound_by_the_instructions_that_unpack_them) {
    Fixture f = a_served_model(0, 64, 1, ServingPhase::decode);
    f.software.engine.fuses_products = false;
    f.software.engine.half_accumulate = true;
    f.part.vendor = "NVIDIA";
    f.part.units = 10;
    f.part.boost_clock_mhz = 1000;
    const double head = 2048.0 * 32000 * 6.5625 / 8 / 1e12;  // seconds
    const double lanes = 1.28e12;
    f.workload.quantization.name = "q4_0";
    const double plain = time_of(f).tpot.base();
    BOOST_TEST(plain == 24 * layer_weights * 6.2 / lanes + head, tt::tolerance(0.03));
    f.workload.quantization.name = "q2_k";
    const double narrow = time_of(f).tpot.base();
    BOOST_TEST(narrow > 24 * layer_weights * 13.2 / lanes + head);
    BOOST_TEST(narrow < (24 * layer_weights * 15.2 / lanes + head) * 1.03);
    // A unit that is faster leaves the reading of bytes.
    f.part.boost_clock_mhz = 100000;
    BOOST_TEST(time_of(f).tpot.base() < 0.2 * narrow);
}

// Half of each prompt lies in the prefix cache: half of the products are left, and the attention of
// the other half over both.
BOOST_AUTO_TEST_CASE(what_the_prefix_cache_has_is_not_computed_again) {
    Fixture f = a_served_model(8192, 1, 1, ServingPhase::prefill);
    f.software.engine.card_sizes = {{.chips = {}, .iteration_tokens = 512}};
    const TimeEstimate whole = time_of(f);
    f.workload.serving->cached_share = 0.5;
    const TimeEstimate half = time_of(f);
    BOOST_TEST(half.ttft.base() > 0.5 * whole.ttft.base());
    BOOST_TEST(half.ttft.base() < 0.7 * whole.ttft.base());
    // The rate is that of tokens that run.
    BOOST_TEST(half.tokens_per_second * half.step.base() == 4096.0, tt::tolerance(1e-9));
    Fixture alone = a_served_model(4096, 1, 1, ServingPhase::prefill);
    alone.software.engine.card_sizes = f.software.engine.card_sizes;
    BOOST_TEST(half.ttft.base() > time_of(alone).ttft.base());  // at depth
}

BOOST_AUTO_TEST_CASE(files_of_16_bits_are_neither_expanded_nor_multiplied_in_8) {
    Fixture f = a_served_model(512, 1, 1, ServingPhase::prefill);
    f.software.engine.fuses_products = false;
    f.software.engine.half_accumulate = true;
    f.software.engine.integer_share = 0.5;
    f.part.peak_dense[static_cast<std::size_t>(ComputeType::int8)] = 20.0 * teraflop_per_second;
    f.part.l2_cache = 1.0 * mebibyte;
    f.workload.weights = DType::fp16;
    const double plain = time_of(f).ttft.base();
    f.workload.quantization.name = "f16";
    BOOST_TEST(time_of(f).ttft.base() == plain, tt::tolerance(0.01));
}

BOOST_AUTO_TEST_CASE(sums_in_16_bits_may_be_told_apart) {
    Fixture f = a_served_model(512, 1, 1, ServingPhase::prefill);
    f.software.engine.fuses_products = false;
    f.software.engine.half_accumulate = true;
    f.part.peak_dense[static_cast<std::size_t>(ComputeType::fp16_fp16_accumulate)] =
        200.0 * teraflop_per_second;
    f.workload.compute = ComputeType::fp16;
    const double wide = time_of(f).ttft.base();
    f.workload.fp16_accumulate = true;
    BOOST_TEST(time_of(f).ttft.base() < 0.7 * wide);
    f.workload.quantization.name = "bf16";  // a library sums those in fp32
    BOOST_TEST(time_of(f).ttft.base() > 0.9 * wide);
}

// 512 tokens of 8 among 64 experts: 64 rows an expert, and 16 for the tile that two share.
BOOST_AUTO_TEST_CASE(sorted_tokens_run_at_the_rate_of_other_products) {
    Fixture f = a_served_model(512, 1, 1, ServingPhase::prefill);
    f.architecture.stacks.back().moe =
        MixtureOfExperts{.experts = 64, .experts_per_token = 8, .ffn = 8192};
    f.software.engine.fuses_products = false;
    f.workload.quantization.name = "int4";
    const double apart = time_of(f).ttft.base();
    f.software.engine.sorts_experts = true;
    const double sorted = time_of(f).ttft.base();
    const double products = 24 * 3 * 2 * 64.0 * 80 * 2048 * 8192 / 100e12;
    BOOST_TEST(sorted > products);
    BOOST_TEST(sorted < 1.4 * products);
    BOOST_TEST(sorted != apart);
}

BOOST_AUTO_TEST_CASE(small_cards_take_smaller_iterations) {
    Fixture f = a_served_model(8192, 1, 1, ServingPhase::prefill);
    f.software.engine.card_sizes = {{.chips = {}, .iteration_tokens = 8192}};
    f.part.chip = "chip";
    f.part.visible_memory = 79.0 * gibibyte;
    const auto sizes = [&f] {
        f.device = device_model(f.part, f.calibration);
        const EstimateInput input{f.architecture, f.workload,    f.cluster, f.software,
                                  f.device,       f.calibration, &f.links};
        return std::pair(most_prompt_tokens(input), most_sequences(input));
    };
    constexpr double any = std::numeric_limits<double>::infinity();
    BOOST_TEST((sizes() == std::pair(8192.0, any)));
    f.software.engine.card_sizes = {
        {.below_gib = 70, .chips = {"GA100"}, .iteration_tokens = 2048, .sequences = 256},
        {.chips = {}, .iteration_tokens = 8192, .sequences = 1024}};
    BOOST_TEST((sizes() == std::pair(8192.0, 1024.0)));
    f.part.visible_memory = 47.0 * gibibyte;
    BOOST_TEST((sizes() == std::pair(2048.0, 256.0)));
    f.part.visible_memory = 79.0 * gibibyte;
    f.part.chip = "GA100";
    BOOST_TEST((sizes() == std::pair(2048.0, 256.0)));
    f.workload.serving->iteration_tokens = 4096;
    BOOST_TEST((sizes() == std::pair(4096.0, 256.0)));
}

BOOST_AUTO_TEST_CASE(a_tile_of_8_bit_products_holds_tokens_of_one_expert) {
    const auto prompt = [](int experts) {
        Fixture f = a_served_model(512, 1, 1, ServingPhase::prefill);
        f.architecture.stacks.back().moe =
            MixtureOfExperts{.experts = experts, .experts_per_token = 8, .ffn = 1024};
        f.software.engine.fuses_products = false;
        f.software.engine.integer_share = 0.5;
        f.workload.quantization.name = "q8_0";
        f.part.peak_dense[static_cast<std::size_t>(ComputeType::int8)] =
            20.0 * teraflop_per_second;  // so slow that reading weights is nothing
        return time_of(f).ttft.base();
    };
    // 32 tokens of 512 are for each of 128 experts, 16 for each of 256, and both fill a tile of
    // 128.
    const double tile = 24 * 3 * 2 * 128.0 * 2048 * 1024 / 10e12;
    BOOST_TEST(prompt(256) - prompt(128) == 128 * tile, tt::tolerance(0.03));
}

// Gate, up and activation are one kernel, the choice of experts is one beside its product.
BOOST_AUTO_TEST_CASE(neighbours_that_a_stack_fuses_are_no_kernels) {
    Fixture f = a_served_model(0, 64, 1, ServingPhase::decode);
    f.software.engine.fuses_products = false;
    f.software.engine.fuses_neighbours = true;
    const double without = time_of(f).tpot.base();
    f.software.engine.kernel_gap = 1.0 * microsecond;
    // Two norms, q, k, v, two rotary, attention, o, two residuals, gate with up, down = 13.
    const double gaps = time_of(f).tpot.base() - without;
    BOOST_TEST(gaps > 24 * 13e-6);
    BOOST_TEST(gaps < 24 * 13e-6 + 4e-6);
}

BOOST_AUTO_TEST_CASE(components_sum_to_the_round) {
    Fixture f = a_served_model(1024, 256, 8);
    f.software.engine.step_overhead = 300.0 * microsecond;
    f.software.engine.kernel_gap = 3.0 * microsecond;
    const TimeEstimate time = time_of(f);
    double sum = 0;
    for (const TimeComponent& component : time.components) {
        sum += component.time.base();
    }
    BOOST_TEST(sum == time.step.base(), tt::tolerance(1e-9));
}

// Answers of 20,000 tokens are half written on average; who sets room aside for all of them holds
// 1000 + 20000 tokens a request, others 1000 + 10000.
BOOST_AUTO_TEST_CASE(room_set_aside_for_answers_lets_fewer_run) {
    Fixture f = a_served_model(1000, 20000, 600);
    const auto running = [&f] {
        const TimeEstimate time = time_of(f);
        return time.tokens_per_second * time.step.base() / 20000;
    };
    const double without = running();
    f.software.engine.scheduler.reserved_output = 1;
    BOOST_TEST(running() / without == 11.0 / 21, tt::tolerance(0.01));
}

BOOST_AUTO_TEST_CASE(only_as_many_requests_run_as_the_cache_holds) {
    // 24 layers x 2 x 1024 x 2 B = 96 KiB a token; 100000 tokens = 9.8 GB: eight in 80 GB at most.
    Fixture few = a_served_model(90000, 20000, 6);
    Fixture many = a_served_model(90000, 20000, 600);
    const double a = time_of(few).tokens_per_second;
    const double b = time_of(many).tokens_per_second;
    BOOST_TEST(b < 2 * a);
}

BOOST_AUTO_TEST_CASE(a_layer_split_serves_one_token_no_faster) {
    // llama.cpp's split: with one request one part works at a time.
    Fixture one = a_served_model(0, 64, 1, ServingPhase::decode);
    Fixture split = a_served_model(0, 64, 1, ServingPhase::decode);
    split.workload.plan.pipeline = 4;
    split.place(4, 8);
    BOOST_TEST(time_of(split).tpot.base() >= time_of(one).tpot.base());
}

BOOST_AUTO_TEST_CASE(an_empty_architecture_gives_an_unknown_and_not_a_crash) {
    Fixture f = a_served_model(16, 16, 1);
    f.architecture.stacks.clear();
    BOOST_TEST(time_of(f).tpot.base() == 0.0);
}

BOOST_AUTO_TEST_CASE(it_never_beats_the_memory_and_grows_with_context_and_load) {
    BOOST_TEST(rc::check([] {
        const double input = *rc::gen::inRange(1, 4000);
        const double output = *rc::gen::inRange(1, 2000);
        const double concurrency = *rc::gen::inRange(1, 16);
        Fixture f = a_served_model(input, output, concurrency);
        const TimeEstimate time = time_of(f);
        RC_ASSERT(time.tpot.base() * (1 + 1e-12) >= 2 * weights / 1e12);
        RC_ASSERT(time.ttft.base() > 0);
        Fixture longer = a_served_model(2 * input, output, concurrency);
        RC_ASSERT(time_of(longer).tpot.base() >= time.tpot.base() * (1 - 1e-9));
        RC_ASSERT(time_of(longer).ttft.base() >= time.ttft.base() * (1 - 1e-9));
        Fixture busier = a_served_model(input, output, 2 * concurrency);
        RC_ASSERT(time_of(busier).tpot.base() >= time.tpot.base() * (1 - 1e-9));
        Fixture faster = a_served_model(input, output, concurrency);
        faster.part.memory_bandwidth = 2000.0 * gigabyte_per_second;
        RC_ASSERT(time_of(faster).tpot.base() <= time.tpot.base() * (1 + 1e-9));
    }));
}

BOOST_AUTO_TEST_SUITE_END()
