#include "estimate/serving/served_load.h"

#include "estimate/serving/answer_lengths.h"
#include "estimate/serving/inference.h"
#include "estimate/serving/pass_times.h"
#include "estimate/serving/serving_memory.h"
#include "tests/estimate/plan_fixture.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>

using namespace ridgeline;
using ridgeline::test::Fixture;
namespace tt = boost::test_tools;

BOOST_AUTO_TEST_SUITE(served_load_of_a_model)

namespace {

Fixture a_server(double input, double output, double concurrency) {
    Fixture f;
    f.workload.task = Task::inference;
    Serving& serving = f.workload.serving.emplace();
    serving.input_tokens = input;
    serving.output_tokens = output;
    serving.concurrency = concurrency;
    f.software.engine.fuses_products = true;
    f.software.engine.card_sizes = {{.chips = {}, .iteration_tokens = 8192}};
    f.device = device_model(f.part, f.calibration);
    f.links = link_model(f.cluster, f.calibration);
    return f;
}

EstimateInput input_of(const Fixture& f) {
    return {f.architecture, f.workload, f.cluster, f.software, f.device, f.calibration, &f.links};
}

}  // namespace

BOOST_AUTO_TEST_CASE(at_a_low_rate_the_first_token_takes_a_prompt_alone) {
    Fixture f = a_server(1024, 64, 1);
    f.workload.serving->request_rate = 1e-3;
    f.workload.serving->shortest_share = 1;
    const TimeEstimate alone = inference_time(input_of(f));
    const auto load = served_load(input_of(f));
    BOOST_REQUIRE(load);
    BOOST_TEST(load->ttft.p50 == alone.ttft.base(), tt::tolerance(0.01));
    BOOST_TEST(load->tpot.p50 == alone.tpot.base(), tt::tolerance(0.02));
}

BOOST_AUTO_TEST_CASE(a_load_is_never_above_the_bounds_of_its_steady_state) {
    for (const double concurrency : {1.0, 8.0, 64.0}) {
        Fixture f = a_server(512, 128, concurrency);
        const TimeEstimate bound = inference_time(input_of(f));
        const auto load = served_load(input_of(f));
        BOOST_REQUIRE(load);
        Fixture decoding = a_server(512, 128, concurrency);
        decoding.workload.serving->phase = ServingPhase::decode;
        // Steps alone, with all requests decoding all the time.
        const double most = concurrency / inference_time(input_of(decoding)).tpot.base();
        BOOST_TEST(load->tokens_per_second <= most * 1.02);
        BOOST_TEST(load->tokens_per_second >= 0.5 * bound.tokens_per_second);
    }
}

// Prompts of four iterations that an engine does not cut take about as long as those that another
// cuts.
BOOST_AUTO_TEST_CASE(an_uncut_prompt_is_timed_whole) {
    Fixture f = a_server(32768, 16, 4);
    f.workload.serving->burst = true;
    const auto cut = served_load(input_of(f));
    f.software.engine.scheduler.chunks = false;
    const auto whole = served_load(input_of(f));
    BOOST_REQUIRE((cut && whole));
    BOOST_TEST(whole->ttft.mean == cut->ttft.mean, tt::tolerance(0.1));
}

// Of chats of ShareGPT, whose answers have 200 tokens in the mean, half have fewer than 131 and one
// in ten more than 483; scaled, they keep their shape. What ends above half of the longest is even.
BOOST_AUTO_TEST_CASE(answers_are_spread_as_those_of_chats_and_end_at_the_longest) {
    const auto mean = [](double of, double longest) {
        double sum = 0;
        for (int i = 0; i < 10'000; ++i) {
            sum += answer_length(of, longest, (i + 0.5) / 10'000) / 10'000;
        }
        return sum;
    };
    BOOST_TEST(mean(200, 2048) == 200, tt::tolerance(0.001));
    BOOST_TEST(mean(200, 500) == 200, tt::tolerance(0.001));
    BOOST_TEST(answer_length(200, 1e6, 0.5) == 131, tt::tolerance(0.02));
    BOOST_TEST(answer_length(200, 1e6, 0.9) == 483, tt::tolerance(0.02));
    BOOST_TEST(answer_length(400, 1e6, 0.9) == 2 * answer_length(200, 1e6, 0.9),
               tt::tolerance(0.001));
    BOOST_TEST(answer_length(200, 500, 0.9999) == 500);
    BOOST_TEST(answer_length(600, 1000, 0.0) == 200);
    BOOST_TEST(answer_length(600, 1000, 0.5) == 600);
    BOOST_TEST(chat_prompt_length(220, 0.5) == 109, tt::tolerance(0.02));
    BOOST_TEST(chat_prompt_length(220, 0.9) == 602, tt::tolerance(0.02));
}

// A curve of powers of two ends beside the last of them where a further tile of rows begins: what
// lies beyond costs as much for each as at its end, not by the slope of that step.
BOOST_AUTO_TEST_CASE(a_cost_beyond_what_was_folded_grows_with_the_size_at_most) {
    CostCurve curve;
    curve.add(32, 1);
    curve.add(64, 1);
    curve.add(65, 2);
    BOOST_TEST(curve.at(130) == 4, tt::tolerance(0.001));
    BOOST_TEST(curve.at(48) == 1, tt::tolerance(0.001));
}

// A burst lasts until its longest answer ends: of 64 with 128 in the mean one has some 500 tokens.
BOOST_AUTO_TEST_CASE(a_burst_waits_for_its_longest_answer) {
    Fixture f = a_server(64, 128, 64);
    f.workload.serving->burst = true;
    const auto alike = served_load(input_of(f));
    f.workload.serving->longest_output = 2048;
    const auto falling = served_load(input_of(f));
    BOOST_REQUIRE((alike && falling));
    BOOST_TEST(falling->end_to_end.p99 > 2 * alike->end_to_end.p99);
    BOOST_TEST(falling->end_to_end.p50 < alike->end_to_end.p50);
    BOOST_TEST(falling->tokens_per_second < alike->tokens_per_second);
}

BOOST_AUTO_TEST_CASE(quantiles_rise_and_the_same_seed_gives_the_same_run) {
    Fixture f = a_server(512, 128, 16);
    const auto load = served_load(input_of(f), {}, 7);
    const auto again = served_load(input_of(f), {}, 7);
    const auto other = served_load(input_of(f), {}, 8);
    BOOST_REQUIRE((load && again && other));
    BOOST_TEST(load->requests == 160);
    for (const LoadSpread* spread : {&load->ttft, &load->tpot, &load->end_to_end}) {
        BOOST_TEST(spread->p50 <= spread->p90);
        BOOST_TEST(spread->p90 <= spread->p99);
    }
    BOOST_TEST(load->end_to_end.mean == again->end_to_end.mean);
    BOOST_TEST(load->end_to_end.mean != other->end_to_end.mean);
}

BOOST_AUTO_TEST_CASE(the_largest_rate_keeps_nine_in_ten_within_the_targets) {
    Fixture f = a_server(512, 128, 16);
    const LoadTargets targets{.ttft = 0.2 * second, .tpot = {}};
    const auto load = served_load(input_of(f), targets);
    BOOST_REQUIRE((load && load->goodput && load->largest_rate));
    BOOST_TEST(*load->goodput <= load->requests_per_second);
    BOOST_REQUIRE(*load->largest_rate > 0);
    f.workload.serving->request_rate = 0.9 * *load->largest_rate;
    const auto below = served_load(input_of(f));
    BOOST_TEST(below->ttft.p90 <= 0.2);
    // A target that no prompt meets.
    const LoadTargets hopeless{.ttft = 1e-6 * second, .tpot = {}};
    BOOST_TEST(*served_load(input_of(f), hopeless)->largest_rate < 1e-3);
}

BOOST_AUTO_TEST_CASE(a_recorded_load_is_run_at_its_times) {
    Fixture f = a_server(512, 64, 1);
    f.workload.serving->trace = std::make_shared<const std::vector<TracedRequest>>(
        std::vector<TracedRequest>{{0, 512, 64, 0}, {1000, 256, 32, 0}});
    const auto load = served_load(input_of(f));
    BOOST_REQUIRE(load);
    BOOST_TEST(load->requests == 2);
    // The second comes when the first is long gone: half of its prompt, half of its time or more.
    BOOST_TEST(load->ttft.p99 < 1);
    BOOST_TEST(load->requests_per_second < 2.0 / 1000);
}

namespace {

/// An engine whose cache is what nine tenths of the card leave, in which requests wait.
Fixture a_busy_server(double concurrency, int replicas, Seconds front_end) {
    Fixture f = a_server(1024, 256, concurrency);
    f.software.engine.memory_fraction = 0.9;
    f.software.engine.memory_fraction_of = MemoryShare::card;
    f.software.engine.front_end = front_end;
    f.workload.plan.data = replicas;
    return f;
}

/// Requests in flight by the rate and the time of each (Little 1961).
double in_flight(const TimeEstimate& time, double output) {
    return time.requests_per_second * (time.ttft + (output - 1) * time.tpot).base();
}

}  // namespace

// With few and with many in flight, whether they wait for the cache or for the process in front.
BOOST_AUTO_TEST_CASE(rate_and_times_of_a_closed_loop_are_those_of_its_requests_in_flight) {
    for (const Seconds front_end : {Seconds{}, 1.5 * millisecond}) {
        for (const int replicas : {1, 8}) {
            double most = 0;
            for (const double concurrency : {8.0, 64.0, 500.0, 1e3, 3e3, 1e4, 3e4, 1e5}) {
                const Fixture f = a_busy_server(concurrency, replicas, front_end);
                TimeEstimate time = inference_time(input_of(f));
                BOOST_TEST(in_flight(time, 256) == concurrency, tt::tolerance(0.1));
                add_load(time, input_of(f));
                BOOST_TEST(in_flight(time, 256) == concurrency, tt::tolerance(0.1));
                // A queue in front takes nothing from those that run.
                BOOST_TEST(time.tokens_per_second >= 0.98 * most);
                most = std::max(most, time.tokens_per_second);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(requests_that_wait_take_no_room_of_the_cache) {
    const Fixture some = a_busy_server(2e3, 1, Seconds{});
    const Fixture many = a_busy_server(1e6, 1, Seconds{});
    BOOST_TEST(inference_peak(input_of(many)).cache_room.base() ==
                   inference_peak(input_of(some)).cache_room.base(),
               tt::tolerance(0.001));
    BOOST_TEST(running_together(input_of(many)) == running_together(input_of(some)),
               tt::tolerance(0.001));
}

BOOST_AUTO_TEST_CASE(a_phase_alone_has_no_load) {
    Fixture f = a_server(512, 64, 8);
    f.workload.serving->phase = ServingPhase::decode;
    BOOST_TEST(!served_load(input_of(f)).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
