// A step's events against the estimate's own figures for the same step.
#include "estimate/step_listing.h"

#include "tests/estimate/plan_fixture.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>

using namespace ridgeline;
using ridgeline::test::Fixture;
namespace tt = boost::test_tools;

namespace {

/// One card in a plain loop whose allocator is replayed: the stack that has a script.
Fixture plain() {
    Fixture f;
    f.workload.compiled = false;
    f.workload.loss = LossMode::eager;
    f.software.allocator.replays = true;
    f.place(1, 8);
    return f;
}

StepListing listed(const Fixture& f) {
    const auto step = step_listing(f.input());
    BOOST_REQUIRE(step.has_value());
    return *step;
}

Bytes most_alive(const StepListing& step) {
    Bytes most;
    for (const ListedEvent& event : step.events) {
        most = std::max(most, event.alive);
    }
    return most;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(listing_of_a_step)

BOOST_AUTO_TEST_CASE(kernels_take_what_the_estimate_says) {
    const Fixture f = plain();
    const StepListing step = listed(f);
    BOOST_TEST((step.computing / second) == f.component("forward") + f.component("backward"),
               tt::tolerance(1e-6));
    BOOST_TEST((step.total == step.computing));  // one card exchanges nothing
}

BOOST_AUTO_TEST_CASE(what_is_computed_again_is_listed_once_more) {
    Fixture f = plain();
    f.workload.batch.micro = 8;  // what is kept outweighs the optimizer's step
    f.workload.batch.global = 8;
    f.place(1, 8);
    const StepListing kept = listed(f);
    f.workload.plan.recompute = RecomputeMode::full;
    const StepListing again = listed(f);
    BOOST_TEST(((again.computing - kept.computing) / second) == f.component("recompute"),
               tt::tolerance(0.02));
    BOOST_TEST((most_alive(again) < most_alive(kept)));
}

BOOST_AUTO_TEST_CASE(a_step_begins_at_zero_and_leaves_what_it_found) {
    const StepListing step = listed(plain());
    BOOST_REQUIRE(!step.events.empty());
    BOOST_TEST(step.events.front().what == "forward");
    const auto timed = std::find_if(step.events.begin(), step.events.end(),
                                    [](const auto& event) { return event.seconds > Seconds{}; });
    BOOST_REQUIRE((timed != step.events.end()));
    BOOST_TEST((timed->begin == Seconds{}));
    // Gradients are given back before the next forward pass or by the optimizer's step.
    BOOST_TEST(step.events.back().alive.base() <= 1.5 * step.events.front().alive.base());
}

BOOST_AUTO_TEST_CASE(most_alive_is_the_peak_of_the_estimate) {
    const Fixture f = plain();
    const MemoryEstimate memory = estimate_memory(f.input());
    BOOST_TEST(most_alive(listed(f)).base() == memory.allocated.base(), tt::tolerance(0.02));
}

BOOST_AUTO_TEST_CASE(the_last_micro_batch_is_listed_alone) {
    Fixture f = plain();
    f.workload.batch.global = 8;
    f.place(1, 8);
    const StepListing step = listed(f);
    BOOST_TEST(step.micro_batches == 8);
    const auto forwards =
        std::count_if(step.events.begin(), step.events.end(), [](const ListedEvent& event) {
            return event.kind == Event::Kind::mark && event.what == "forward";
        });
    BOOST_TEST(forwards == 1);
    BOOST_TEST(8 * (step.computing / second) == f.component("forward") + f.component("backward"),
               tt::tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(sharded_units_are_gathered_beside_the_kernels) {
    Fixture f = plain();
    f.software.runtime.kind = RuntimeKind::fsdp2;
    f.workload.plan.sharding = Sharding::fsdp;
    f.workload.plan.data = 8;
    f.workload.batch.global = 8;
    f.place(8, 8);
    const StepListing step = listed(f);
    BOOST_TEST((step.exchanging > Seconds{}));
    BOOST_TEST((step.waited < step.exchanging));
    BOOST_TEST((step.total < step.computing + step.exchanging));
    for (const ListedEvent& event : step.events) {
        BOOST_TEST(event.alive.base() >= 0);
    }
    const Bytes peak = estimate_memory(f.input()).allocated;
    BOOST_TEST(most_alive(step).base() == peak.base(), tt::tolerance(0.05));
}

BOOST_AUTO_TEST_CASE(serving_has_no_script) {
    Fixture f = plain();
    f.workload.task = Task::inference;
    BOOST_TEST(!step_listing(f.input()).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
