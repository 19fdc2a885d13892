// What serving stacks do with memory and time beyond a plain decode step.
#include "estimate/serving/disaggregation.h"
#include "estimate/serving/inference.h"
#include "estimate/serving/library_products.h"
#include "estimate/serving/quant_ladder.h"
#include "estimate/serving/serving_memory.h"
#include "estimate/serving/serving_pass.h"
#include "estimate/serving/waiting.h"
#include "tests/estimate/plan_fixture.h"

#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace ridgeline;
using ridgeline::test::Fixture;
namespace tt = boost::test_tools;

namespace {

Fixture served(double input, double output, double concurrency) {
    Fixture f;
    f.workload.task = Task::inference;
    f.workload.serving =
        Serving{.input_tokens = input, .output_tokens = output, .concurrency = concurrency};
    f.software.engine.fuses_products = true;
    f.software.runtime.kind = RuntimeKind::engine;
    return f;
}

/// Of the fixture: 24 layers x 2 x 8 heads x 128 x 2 bytes.
constexpr double cache_of_a_token = 24 * 2 * 8 * 128 * 2;

}  // namespace

BOOST_AUTO_TEST_SUITE(serving)

BOOST_AUTO_TEST_CASE(each_memory_fraction_means_what_its_runtime_means) {
    Fixture f = served(1024, 1024, 4);
    const double whole = inference_peak(f.input()).cache_room.base();
    f.software.engine.memory_fraction = 0.9;
    // Of the card: a tenth of 80 GB is lost to the cache.
    f.software.engine.memory_fraction_of = MemoryShare::card;
    BOOST_TEST(inference_peak(f.input()).cache_room.base() == whole - 8e9, tt::tolerance(1e-9));
    // Of what is free after weights and activations.
    f.software.engine.memory_fraction_of = MemoryShare::free_after_weights;
    BOOST_TEST(inference_peak(f.input()).cache_room.base() == 0.9 * whole, tt::tolerance(1e-9));
    // Weights and cache together: activations fit into the tenth beside them.
    f.software.engine.memory_fraction_of = MemoryShare::weights_and_cache;
    const InferencePeak peak = inference_peak(f.input());
    const double weights = peak.instants.front().total.base();
    BOOST_TEST(peak.cache_room.base() == 72e9 - weights, tt::tolerance(1e-9));
}

// 34 bytes a score of the most sequences at once, where they outweigh the activations of a pass.
BOOST_AUTO_TEST_CASE(the_trial_choice_of_tokens_comes_before_the_cache) {
    Fixture f = served(1024, 1024, 4);
    f.workload.serving->burst = true;
    f.architecture.vocabulary = 150000;
    f.software.engine.memory_fraction = 0.9;
    f.software.engine.memory_fraction_of = MemoryShare::card;
    const auto room = [&f](double sequences) {
        f.software.engine.card_sizes = {
            {.chips = {}, .iteration_tokens = 8192, .sequences = sequences}};
        return inference_peak(f.input()).cache_room.base();
    };
    BOOST_TEST(room(512) - room(1024) == 34.0 * 512 * 150000, tt::tolerance(1e-9));
    const double all = room(1024);
    f.workload.serving->burst = false;  // a closed loop of four
    BOOST_TEST(inference_peak(f.input()).cache_room.base() > all);
}

// A layer's activation of 4 bytes for each of 8192 columns is neither read nor written, and its
// kernel is not there.
BOOST_AUTO_TEST_CASE(an_activation_joins_the_product_before_it_unless_it_has_a_gate) {
    Fixture f = served(512, 0, 1);
    f.software.engine.kernel_gap = 4 * microsecond;
    f.architecture.stacks.front().gated = false;
    const auto pass = [&f] {
        return serve_pass(f.input(), f.links, {.samples = 1, .tokens = 512, .context = 512});
    };
    const ServedPass apart = pass();
    f.software.engine.fuses_epilogues = true;
    const ServedPass joined = pass();
    BOOST_TEST(apart.gaps - joined.gaps == 24 * 4e-6, tt::tolerance(1e-9));
    BOOST_TEST(apart.streaming - joined.streaming == 24 * 4 * 512 * 8192 / 1e12,
               tt::tolerance(1e-6));
    BOOST_TEST(apart.products == joined.products);
    f.architecture.stacks.front().gated = true;
    const ServedPass gated = pass();
    f.software.engine.fuses_epilogues = false;
    BOOST_TEST(gated.total() == pass().total());
}

BOOST_AUTO_TEST_CASE(requests_that_the_cache_does_not_hold_wait) {
    // Nine tenths of 80 GB less weights and activations hold some 300 sequences of 2048 tokens.
    Fixture f = served(1536, 512, 1000);
    f.software.engine.card_sizes = {{.chips = {}, .iteration_tokens = 512}};
    f.software.engine.memory_fraction_of = MemoryShare::card;
    BOOST_TEST(!waiting_load(f.input()).has_value());  // each has a slot of its own
    f.software.engine.memory_fraction = 0.9;
    BOOST_TEST(!estimate_memory(f.input()).fits);
    const auto load = waiting_load(f.input());
    BOOST_REQUIRE(load.has_value());
    const double each = 2048 * cache_of_a_token;
    const double weights = inference_peak(f.input()).weights.base();
    BOOST_TEST(load->running <= std::floor((72e9 - weights) / each));
    BOOST_TEST(load->running >= 0.95 * std::floor((72e9 - weights) / each));
    BOOST_TEST(load->memory.fits);
    BOOST_TEST(load->memory.sequences_held == load->running);
    // The engine takes no more than its share, however wide the range of the weights is.
    BOOST_TEST(load->memory.process.base() * load->memory.band.high <=
               (load->memory.capacity - load->memory.unclaimed).base() * (1 + 1e-9));
    // Where all have room nobody waits; where not one has, nothing runs.
    f.workload.serving->concurrency = 4;
    BOOST_TEST(!waiting_load(f.input()).has_value());
    Fixture too_long = served(80e9 / cache_of_a_token, 16, 4);
    too_long.software.engine.card_sizes = {{.chips = {}, .iteration_tokens = 512}};
    too_long.software.engine.memory_fraction = 0.9;
    BOOST_TEST(!waiting_load(too_long.input()).has_value());
}

BOOST_AUTO_TEST_CASE(what_the_fraction_leaves_cannot_be_used) {
    // 80 GB, weights 3.5 GB: 70 GB of cache fit the card, but not nine tenths of it.
    const double tokens = 70e9 / cache_of_a_token;
    Fixture f = served(tokens - 1, 1, 1);
    f.software.engine.card_sizes = {{.chips = {}, .iteration_tokens = 512}};
    BOOST_TEST(estimate_memory(f.input()).fits);
    f.software.engine.memory_fraction = 0.85;
    const MemoryEstimate memory = estimate_memory(f.input());
    BOOST_TEST(!memory.fits);
    BOOST_TEST(memory.unclaimed.base() == 12e9, tt::tolerance(1e-9));
    BOOST_TEST(memory.headroom().base() < 0);
}

BOOST_AUTO_TEST_CASE(layers_on_the_host_take_no_memory_and_cost_its_rate) {
    Fixture all = served(16, 64, 1);
    Fixture half = served(16, 64, 1);
    half.workload.serving->gpu_layers = 12;
    const MemoryEstimate whole = estimate_memory(all.input());
    const MemoryEstimate split = estimate_memory(half.input());
    BOOST_TEST((split.process < whole.process));
    BOOST_TEST((split.process + split.host).base() == whole.process.base(), tt::tolerance(0.001));
    // Twelve layers of 2048 x (2 x 2048 + 2 x 1024 + 3 x 8192) at 2 bytes, and the head, at 70
    // GB/s.
    const double layers = 12 * 2.0 * 2048 * (2 * 2048 + 2 * 1024 + 3 * 8192);
    const double head = 2.0 * 2048 * 32000;
    const double tpot = inference_time(half.input()).tpot.base();
    BOOST_TEST(tpot > (layers + head) / 70e9);
    BOOST_TEST(tpot < 1.1 * (layers + head) / 70e9);
    // Eight channels of DDR5-4800 have 3.4 times the two of DDR5-5600.
    half.workload.serving->host_memory_rate = 307.2;
    const double wide = inference_time(half.input()).tpot.base();
    BOOST_TEST(tpot - wide == (layers + head) / 70e9 * (1 - 89.6 / 307.2), tt::tolerance(0.001));
}

BOOST_AUTO_TEST_CASE(experts_on_the_host_are_read_there_and_sent_for_a_prompt) {
    // 64 experts of 3 x 2048 x 1024 at 2 bytes in each of 24 layers, four for a token.
    constexpr double expert = 3.0 * 2048 * 1024 * 2;
    const auto mixture = [](double input, int on_host) {
        Fixture f = served(input, 64, 1);
        f.architecture.stacks.back().moe =
            MixtureOfExperts{.experts = 64, .experts_per_token = 4, .ffn = 1024};
        f.workload.serving->host_expert_layers = on_host;
        return f;
    };
    const Fixture none = mixture(16, 0);
    const Fixture half = mixture(16, 12);
    const MemoryEstimate whole = estimate_memory(none.input());
    const MemoryEstimate split = estimate_memory(half.input());
    BOOST_TEST(split.host.base() == 12 * 64 * expert, tt::tolerance(1e-9));
    BOOST_TEST((split.process + split.host).base() == whole.process.base(), tt::tolerance(0.001));
    // A layer reads four at 70 GB/s, not at 1 TB/s, and waits twice for 50 us.
    const double slower =
        (inference_time(half.input()).tpot - inference_time(none.input()).tpot).base();
    BOOST_TEST(slower == 12 * (4 * expert * (1 / 70e9 - 1 / 1e12) + 100e-6), tt::tolerance(0.03));
    // 512 tokens choose all 64: they come over half of 32 GB/s, and one tensor needs room.
    const Fixture prompt = mixture(512, 999);
    const double sent =
        (inference_time(prompt.input()).ttft - inference_time(mixture(512, 0).input()).ttft).base();
    BOOST_TEST(sent == 24 * 64 * expert / 16e9, tt::tolerance(0.001));
    double room = 0;
    const MemoryEstimate memory = estimate_memory(prompt.input());
    for (const Component& component : memory.instants[1].components) {
        room += component.name == "weight of the host" ? component.size.base() : 0;
    }
    BOOST_TEST(room == 64 * expert / 3);
}

// Whole experts on four ranks that share their tokens, or a quarter of each: as many weights are
// read, as many rows multiplied, as much summed.
BOOST_AUTO_TEST_CASE(ranks_that_share_tokens_part_the_experts_among_them) {
    const auto step = [](int tensor, int experts) {
        Fixture f = served(512, 64, 8);
        f.architecture.stacks.back().moe =
            MixtureOfExperts{.experts = 64, .experts_per_token = 4, .ffn = 4096};
        f.workload.serving->phase = ServingPhase::decode;
        f.workload.plan.tensor = tensor;
        f.workload.plan.expert = experts;
        f.place(4, 8);
        return inference_time(f.input()).tpot.base();
    };
    BOOST_TEST(step(4, 4) == step(4, 1), tt::tolerance(0.02));
    // Two groups of two ranks: half of the experts on each, half of their width on a rank.
    BOOST_TEST(step(4, 2) == step(4, 1), tt::tolerance(0.02));
}

BOOST_AUTO_TEST_CASE(drafts_yield_the_expected_run_of_right_tokens) {
    Fixture plain = served(16, 64, 1);
    Fixture drafted = served(16, 64, 1);
    drafted.workload.serving->draft_tokens = 3;
    drafted.workload.serving->acceptance = 0.5;
    // 1 + 1/2 + 1/4 + 1/8 tokens a step; a step of four rows reads the same weights.
    const double speedup =
        inference_time(plain.input()).tpot / inference_time(drafted.input()).tpot;
    BOOST_TEST(speedup == 1.875, tt::tolerance(0.03));
    drafted.workload.serving->acceptance = 1;
    const double sure = inference_time(plain.input()).tpot / inference_time(drafted.input()).tpot;
    BOOST_TEST(sure == 4.0, tt::tolerance(0.03));
    // A draft model as large as the model, never right, gains nothing.
    drafted.workload.serving->acceptance = 0;
    drafted.workload.serving->draft_parameters = 1e12;
    BOOST_TEST((inference_time(drafted.input()).tpot > inference_time(plain.input()).tpot));
}

BOOST_AUTO_TEST_CASE(groups_that_no_kernel_shares_read_the_cache_for_each_head) {
    // 32 sequences of 16k tokens: 51 GB of cache, two query heads a key head.
    Fixture shared = served(16384, 128, 32);
    shared.workload.serving->phase = ServingPhase::decode;
    Fixture apart = served(16384, 128, 32);
    apart.workload.serving->phase = ServingPhase::decode;
    apart.software.engine.shared_query_groups = {1, 8};
    const double extra =
        inference_time(apart.input()).tpot.base() - inference_time(shared.input()).tpot.base();
    BOOST_TEST(extra == 32 * (16384 + 64) * cache_of_a_token / 1e12, tt::tolerance(0.02));
}

BOOST_AUTO_TEST_CASE(parted_replicas_are_all_used_and_decode_undisturbed) {
    Fixture f = served(2048, 256, 16);
    f.workload.plan.data = 4;
    f.place(4, 8);
    const auto split = disaggregate(f.input());
    BOOST_TEST_REQUIRE(split.has_value());
    BOOST_TEST(split->prompt_replicas + split->decode_replicas == 4);
    // A decoding replica with its share of the requests and no prompt between their steps.
    Fixture one = served(2048, 256, std::ceil(16.0 / split->decode_replicas));
    one.workload.serving->phase = ServingPhase::decode;
    BOOST_TEST(split->tpot.base() == inference_time(one.input()).tpot.base(), tt::tolerance(1e-9));
    BOOST_TEST(split->requests_per_second <=
               16 / (split->ttft.base() + 256 * split->tpot.base()) * (1 + 1e-6));
    // The cache of 2,048 tokens over 100 GB/s.
    BOOST_TEST(split->transfer.base() == 2048 * cache_of_a_token / 100e9, tt::tolerance(1e-9));
    f.workload.plan.data = 1;
    f.place(1, 8);
    BOOST_TEST(!disaggregate(f.input()).has_value());
}

BOOST_AUTO_TEST_CASE(a_ladder_says_what_an_estimate_says) {
    Fixture f = served(512, 128, 1);
    f.software.engine.card_sizes = {{.chips = {}, .iteration_tokens = 512}};
    constexpr std::string_view types[] = {"q4_k_m", "f16"};
    const QuantLadder ladder(f.architecture, f.workload, f.software, types);
    const auto rungs = ladder.on(f.cluster, f.device, f.calibration, f.links);
    BOOST_TEST_REQUIRE(rungs.size() == 2);
    for (const QuantRung& rung : rungs) {
        f.workload.quantization.name = rung.quantization;
        const TimeEstimate time = inference_time(f.input());
        BOOST_TEST(rung.tokens_per_second == 1 / time.tpot.base(), tt::tolerance(1e-9));
        BOOST_TEST(rung.ttft.base() == time.ttft.base(), tt::tolerance(1e-9));
        BOOST_TEST(rung.process.base() == estimate_memory(f.input()).process.base(),
                   tt::tolerance(0.002));
    }
    BOOST_TEST((rungs[0].file < rungs[1].file));
}

BOOST_AUTO_TEST_CASE(what_runs_around_a_librarys_products_goes_to_memory_only_past_the_cache) {
    Fixture f = served(512, 0, 1);
    f.part.l2_cache = 6.0 * mebibyte;
    const GemmShape shape{512, 14336, 4096};
    const double packed = 14336 * 4096 / 2;  // 4 bits a weight
    const double small = expansion_time(f.input().device, {512, 1024, 1024}, 1);
    const double expanded = expansion_time(f.input().device, shape, packed);
    // 1024 x 1024 x 2 B stay in the cache: one byte is read. The large matrix: half a byte a
    // weight is read, two are written.
    BOOST_TEST(expanded / small == packed + 2.0 * 14336 * 4096, tt::tolerance(1e-9));
    // 32 heads of 512 rows over 4096 keys: 2 + 4 bytes to cast the products, 4 + 4 for the
    // softmax, 4 + 2 to cast it.
    const StoredScores scores{32, 512, 4096, 128};
    BOOST_TEST(score_time(f.input().device, scores) / small == 20.0 * 32 * 512 * 4096,
               tt::tolerance(1e-9));
    // 6 bytes for each of 512 x 14336 results and 512 x 4096 activations.
    BOOST_TEST(cast_time(f.input().device, shape) / small == 6.0 * 512 * (14336 + 4096),
               tt::tolerance(1e-9));
    f.part.l2_cache = 1024.0 * mebibyte;
    BOOST_TEST(cast_time(f.input().device, shape) == 0.0);
    BOOST_TEST(score_time(f.input().device, scores) == 0.0);
}

BOOST_AUTO_TEST_CASE(quantised_prompts_wait_for_their_weights_to_be_expanded) {
    Fixture f = served(512, 0, 1);
    f.workload.serving->phase = ServingPhase::prefill;
    f.software.engine.half_accumulate = true;
    f.part.l2_cache = 6.0 * mebibyte;
    const double plain = inference_time(f.input()).step.base();
    f.workload.quantization.name = "q4_k_m";
    BOOST_TEST(inference_time(f.input()).step.base() > 1.02 * plain);
}

// A loop outside an engine makes the prompts of its whole batch at once; Transformers before 4.45
// makes the logits of all of their tokens, in 16 bits and then in fp32.
BOOST_AUTO_TEST_CASE(a_loop_holds_the_prompts_of_its_batch) {
    const auto activations = [](Fixture& f) {
        const InferencePeak peak = inference_peak(f.input());
        return peak.instants[1].components.back().size.base();
    };
    Fixture engine = served(1024, 1, 16);
    Fixture loop = served(1024, 1, 16);
    loop.software.runtime.kind = RuntimeKind::plain;
    Fixture one = served(1024, 1, 1);
    one.software.runtime.kind = RuntimeKind::plain;
    BOOST_TEST(activations(engine) == activations(one), tt::tolerance(1e-9));
    BOOST_TEST(activations(loop) == 16 * activations(one), tt::tolerance(0.01));
    loop.software.runtime.libraries.transformers = Version{4, 45};
    const double last = activations(loop);
    loop.software.runtime.libraries.transformers = Version{4, 44};
    const double all = 16 * 1024 * 32000.0 * (2 + 4);
    BOOST_TEST(last < all);
    BOOST_TEST(activations(loop) >= all);
    BOOST_TEST(activations(loop) < 1.1 * all);
}

BOOST_AUTO_TEST_SUITE_END()
