#include "estimate/serving/scheduler.h"

#include <boost/test/unit_test.hpp>
#include <rapidcheck.h>
#include <rapidcheck/boost_test.h>

#include <limits>

using namespace ridgeline;
namespace tt = boost::test_tools;

BOOST_AUTO_TEST_SUITE(scheduler)

namespace {

/// A step takes 10 ms however many decode, a prompt 1 ms a token.
PassTimes simple_times() {
    CostCurve step;
    step.add(1, 0.01);
    step.add(1000, 0.01);
    CostCurve pass;
    pass.add(1, 0.001);
    pass.add(1000, 1);
    return {step, pass};
}

EngineRules simple_rules() {
    EngineRules rules;
    rules.budget = 1000;
    rules.cache_tokens = std::numeric_limits<double>::infinity();
    return rules;
}

ScheduledRun run(const EngineRules& rules, const std::vector<TracedRequest>& requests,
                 const Fleet& fleet = {}, double in_flight = 0) {
    return run_requests(simple_times(), rules, fleet, {requests, in_flight});
}

double ttft(const ScheduledRun& run, std::size_t i) {
    return run.requests[i].first - run.requests[i].arrival;
}

double mean_ttft(const ScheduledRun& run) {
    double sum = 0;
    for (std::size_t i = 0; i < run.requests.size(); ++i) {
        sum += ttft(run, i);
    }
    return sum / static_cast<double>(run.requests.size());
}

std::vector<TracedRequest> every(double seconds, int count, double input, double output) {
    std::vector<TracedRequest> requests;
    for (int i = 0; i < count; ++i) {
        requests.push_back({i * seconds, input, output, 0});
    }
    return requests;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_request_alone_takes_its_prompt_and_its_steps) {
    const ScheduledRun one = run(simple_rules(), {{0, 100, 11, 0}});
    BOOST_TEST(ttft(one, 0) == 0.1, tt::tolerance(1e-9));
    // The prompt yields the first token, ten steps the others.
    BOOST_TEST(one.requests[0].end == 0.1 + 10 * 0.01, tt::tolerance(1e-9));
    BOOST_TEST(one.iterations == 11U);
}

// One process reads the requests: those that come together are all read at the end, one that comes
// to an idle front end has its own time alone.
BOOST_AUTO_TEST_CASE(requests_queue_before_the_front_end) {
    EngineRules rules = simple_rules();
    rules.request_host = 0.015;
    rules.request_alone = 0.01;
    const ScheduledRun together = run(rules, every(0, 100, 1, 1));
    BOOST_TEST(ttft(together, 0) >= 1.0);
    BOOST_TEST(ttft(together, 0) == ttft(together, 99), tt::tolerance(0.01));
    const ScheduledRun apart = run(rules, every(1, 3, 1, 1));
    BOOST_TEST(ttft(apart, 2) == 0.015 + 0.001, tt::tolerance(0.01));
}

// It writes their tokens too: where it takes longer than the steps, answers come at its pace, and a
// request that comes meanwhile is read when what was there before it is written.
BOOST_AUTO_TEST_CASE(tokens_queue_before_the_front_end) {
    EngineRules rules = simple_rules();
    rules.token_host = 0.002;
    // One sequence: each token leaves 2 ms after its step of 10.
    const ScheduledRun one = run(rules, {{0, 100, 11, 0}});
    BOOST_TEST(ttft(one, 0) == 0.102, tt::tolerance(1e-9));
    BOOST_TEST(one.requests[0].end == 0.1 + 10 * 0.01 + 0.002, tt::tolerance(1e-9));
    // Ten: 20 ms of writing for a step of 10. Prompts end at 100 ms, 11 times ten tokens follow.
    const ScheduledRun ten = run(rules, every(0, 10, 10, 11));
    BOOST_TEST(ten.requests[0].end == 0.1 + 11 * 10 * 0.002, tt::tolerance(1e-9));
    std::vector<TracedRequest> eleven = every(0, 10, 10, 11);
    eleven.push_back({0.19, 1, 1, 0});
    rules.request_host = rules.request_alone = 0.001;
    // Ten are read by 0.01 s, their prompts end at 0.11 and are written by 0.13, eight steps by
    // 0.29; the request is read by 0.291, the last two steps are written by 0.331, its token by
    // 0.333.
    BOOST_TEST(ttft(run(rules, eleven), 10) == 0.333 - 0.19, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(prompts_first_hold_up_those_that_decode) {
    EngineRules rules = simple_rules();
    const std::vector<TracedRequest> two = {{0, 100, 11, 0}, {0.105, 100, 2, 0}};
    // The first decodes at 0.11; the prompt of the second runs alone until 0.21, then both decode.
    rules.scheduler.prompts = PromptPolicy::prompts_first;
    const ScheduledRun first = run(rules, two);
    BOOST_TEST(ttft(first, 1) == 0.21 - 0.105, tt::tolerance(1e-9));
    BOOST_TEST(first.requests[0].end == 0.3, tt::tolerance(1e-9));
    // In one pass with it, the first makes a token meanwhile: 101 tokens, 101 ms.
    rules.scheduler.prompts = PromptPolicy::mixed;
    const ScheduledRun mixed = run(rules, two);
    BOOST_TEST(ttft(mixed, 1) == 0.211 - 0.105, tt::tolerance(1e-9));
    BOOST_TEST(mixed.requests[0].end == 0.211 + 8 * 0.01, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(a_full_iteration_cuts_a_prompt_only_where_the_engine_does) {
    EngineRules rules = simple_rules();
    rules.budget = 150;
    const std::vector<TracedRequest> two = {{0, 100, 1, 0}, {0, 100, 1, 0}};
    // 100 + 50 tokens, then the other 50.
    const ScheduledRun cut = run(rules, two);
    BOOST_TEST(ttft(cut, 0) == 0.15, tt::tolerance(1e-9));
    BOOST_TEST(ttft(cut, 1) == 0.2, tt::tolerance(1e-9));
    rules.scheduler.chunks = false;
    const ScheduledRun whole = run(rules, two);
    BOOST_TEST(ttft(whole, 0) == 0.1, tt::tolerance(1e-9));
    BOOST_TEST(ttft(whole, 1) == 0.2, tt::tolerance(1e-9));
    // A prompt larger than an iteration runs alone.
    rules.budget = 50;
    BOOST_TEST(ttft(run(rules, two), 0) == 0.1, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(limits_on_sequences_and_reserved_cache_keep_requests_waiting) {
    EngineRules rules = simple_rules();
    const std::vector<TracedRequest> two = {{0, 100, 51, 0}, {0, 100, 51, 0}};
    rules.sequences = 1;
    // The second begins when the first ends: 0.1 + 50 steps.
    BOOST_TEST(ttft(run(rules, two), 1) == 0.6 + 0.1, tt::tolerance(1e-9));
    rules.sequences = 10;
    rules.cache_tokens = 250;
    rules.scheduler.reserved_output = 1;
    const ScheduledRun reserved = run(rules, two);
    BOOST_TEST(ttft(reserved, 1) == 0.7, tt::tolerance(1e-9));
    BOOST_TEST(reserved.preemptions == 0U);
}

BOOST_AUTO_TEST_CASE(without_a_reserve_the_last_is_preempted_and_runs_again) {
    EngineRules rules = simple_rules();
    rules.cache_tokens = 250;
    const ScheduledRun both = run(rules, {{0, 100, 51, 0}, {0, 100, 51, 0}});
    BOOST_TEST(both.preemptions == 1U);
    // One pass of both prompts, and the first is never held up but by it.
    BOOST_TEST(ttft(both, 0) == 0.2, tt::tolerance(1e-9));
    BOOST_TEST(both.requests[0].end == 0.2 + 0.5, tt::tolerance(1e-9));
    BOOST_TEST(both.requests[1].end > both.requests[0].end + 0.1);
}

BOOST_AUTO_TEST_CASE(prompts_wait_for_company_as_many_steps_as_are_allowed) {
    EngineRules rules = simple_rules();
    rules.scheduler.prompt_wait_iterations = 20;
    const std::vector<TracedRequest> two = {{0, 100, 101, 0}, {0.1, 100, 1, 0}};
    // Twenty steps of the first, then a pass of 101 tokens.
    BOOST_TEST(ttft(run(rules, two), 1) == 20 * 0.01 + 0.101, tt::tolerance(1e-9));
    rules.scheduler.prompt_wait_share = 0.1;  // 100 of 1000 tokens are enough
    BOOST_TEST(ttft(run(rules, two), 1) == 0.101, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(what_the_cache_has_is_not_computed_again) {
    EngineRules rules = simple_rules();
    rules.cached_share = 0.75;
    BOOST_TEST(ttft(run(rules, {{0, 100, 2, 0}}), 0) == 0.025, tt::tolerance(1e-9));
    rules.cached_share = 0;
    BOOST_TEST(ttft(run(rules, {{0, 100, 2, 60}}), 0) == 0.04, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(a_closed_loop_replaces_who_ends) {
    EngineRules rules = simple_rules();
    rules.sequences = 1;
    const ScheduledRun loop = run(rules, every(0, 3, 100, 11), {}, 1);
    BOOST_TEST(loop.requests[1].arrival == 0.2, tt::tolerance(1e-9));
    BOOST_TEST(loop.requests[2].arrival == 0.4, tt::tolerance(1e-9));
    BOOST_TEST(loop.seconds == 0.6, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(prompts_of_other_replicas_do_not_disturb_decode) {
    const Fleet parted{.replicas = 2, .prompt_replicas = 1, .transfer_per_token = 1e-5};
    const ScheduledRun apart = run(simple_rules(), every(0.2, 10, 100, 51), parted);
    for (const RequestTimes& request : apart.requests) {
        // 101 tokens are sent; a step may have begun when they come.
        BOOST_TEST(request.first - request.arrival == 0.1 + 101e-5, tt::tolerance(1e-9));
        const double each = (request.end - request.first) / 50;
        BOOST_TEST(each >= 0.01 * (1 - 1e-9));
        BOOST_TEST(each <= 0.01 * 51 / 50 * (1 + 1e-9));
    }
}

// Nine at a time before eight replicas: who comes when another ends finds a replica that is free by
// then, not one that will be; a prompt takes 0.1 s, an answer up to 0.8 s.
BOOST_AUTO_TEST_CASE(a_closed_loop_waits_for_no_answer_of_another_replica) {
    std::vector<TracedRequest> requests;
    for (int i = 0; i < 90; ++i) {
        requests.push_back({0, 100, 20.0 + 10 * (i % 7), 0});
    }
    const ScheduledRun loop = run(simple_rules(), requests, {.replicas = 8}, 9);
    for (std::size_t i = 0; i < requests.size(); ++i) {
        BOOST_TEST(ttft(loop, i) < 0.35);
    }
    BOOST_TEST(mean_ttft(loop) < 0.15);
}

BOOST_AUTO_TEST_CASE(more_replicas_are_never_worse) {
    for (const double gap : {0.02, 0.05, 0.1, 0.3}) {
        double before = std::numeric_limits<double>::infinity();
        for (const int replicas : {1, 2, 4, 8}) {
            const double now =
                mean_ttft(run(simple_rules(), every(gap, 200, 100, 21), {.replicas = replicas}));
            BOOST_TEST(now <= before * (1 + 1e-9));
            before = now;
        }
    }
}

BOOST_AUTO_TEST_CASE(answers_without_end_are_run_in_seconds) {
    EngineRules rules = simple_rules();
    rules.cache_tokens = 1e9;  // of which each preemption runs half again, a thousand at a time
    const ScheduledRun done = run(rules, every(0.5, 1000, 512, 1e9));
    BOOST_TEST(done.preemptions > 100U);
    BOOST_TEST(done.seconds >= 1e9 * 0.01);
}

RC_BOOST_PROP(no_run_is_faster_than_prompts_and_steps_allow, ()) {
    EngineRules rules = simple_rules();
    rules.scheduler.prompts = *rc::gen::element(PromptPolicy::mixed, PromptPolicy::prompts_first);
    rules.scheduler.chunks = *rc::gen::arbitrary<bool>();
    rules.scheduler.reserved_output = *rc::gen::element(0.0, 0.5, 1.0);
    rules.budget = *rc::gen::inRange(20, 500);
    rules.cache_tokens = *rc::gen::inRange(300, 5000);
    const double input = *rc::gen::inRange(1, 200);
    const double output = *rc::gen::inRange(1, 100);
    const int count = *rc::gen::inRange(1, 60);
    const int loop = *rc::gen::inRange(1, 30);
    const ScheduledRun done = run(rules, every(0, count, input, output), {}, loop);
    // Each prompt is computed once at least, and each request takes a step for each further token.
    RC_ASSERT(done.seconds >= count * input * 0.001 * (1 - 1e-9));
    for (const RequestTimes& request : done.requests) {
        RC_ASSERT(request.first >= request.arrival + input * 0.001 * (1 - 1e-9));
        RC_ASSERT(request.end >= request.first + (output - 1) * 0.01 * (1 - 1e-9));
    }
    const ScheduledRun again = run(rules, every(0, count, input, output), {}, loop);
    RC_ASSERT(again.seconds == done.seconds);
    RC_ASSERT(again.iterations == done.iterations);
}

BOOST_AUTO_TEST_SUITE_END()
