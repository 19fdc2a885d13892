#include "estimate/operator_profile.h"

#include "tests/estimate/plan_fixture.h"

#include <boost/test/unit_test.hpp>

#include <numeric>

using namespace ridgeline;
using ridgeline::test::Fixture;
namespace tt = boost::test_tools;

BOOST_AUTO_TEST_SUITE(profile_of_operators)

namespace {

OperatorProfile profile_of(const Fixture& f) { return operator_profile(f.input(), f.time()); }

double seconds_in(const OperatorProfile& profile, std::string_view phase) {
    double seconds = 0;
    for (const TimedOperator& op : profile.operators) {
        seconds += op.phase == phase ? op.seconds * op.repeat : 0;
    }
    return seconds;
}

}  // namespace

BOOST_AUTO_TEST_CASE(operators_add_up_to_the_components_of_the_step) {
    Fixture f;
    f.workload.plan.recompute = RecomputeMode::full;
    f.workload.batch.global = 3;
    f.place(1, 8);
    const TimeEstimate time = f.time();
    const OperatorProfile profile = profile_of(f);
    for (const std::string_view phase : {"forward", "backward", "recompute"}) {
        BOOST_TEST(seconds_in(profile, phase) == f.component(phase), tt::tolerance(1e-9));
    }
    BOOST_TEST((profile.step == time.step));
}

BOOST_AUTO_TEST_CASE(the_ridge_point_is_peak_over_bandwidth) {
    Fixture f;
    f.place(1, 8);
    const OperatorProfile profile = profile_of(f);
    BOOST_REQUIRE(profile.roofs.size() == 1U);
    // 100 TFLOP/s over 1 TB/s.
    BOOST_TEST(profile.roofs.front().ridge_point() == 100.0, tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(a_mixed_precision_step_has_a_roof_for_each_type) {
    Fixture f;
    f.workload.compute = ComputeType::fp8;
    f.place(1, 8);
    const OperatorProfile profile = profile_of(f);
    BOOST_REQUIRE(profile.roofs.size() == 2U);
    BOOST_TEST((profile.roofs[0].type == ComputeType::fp8));
    BOOST_TEST((profile.roofs[1].type == ComputeType::bf16));
}

BOOST_AUTO_TEST_CASE(no_operator_stands_above_its_roof) {
    Fixture f;
    f.place(1, 8);
    const OperatorProfile profile = profile_of(f);
    for (const TimedOperator& op : profile.operators) {
        BOOST_TEST(op.flops <= 100e12 * op.seconds * (1 + 1e-9));
        BOOST_TEST(op.bytes <= 1e12 * op.seconds * (1 + 1e-9));
    }
}

BOOST_AUTO_TEST_CASE(shares_of_the_step_add_up_to_one) {
    Fixture f;
    f.workload.plan.tensor = 4;
    f.workload.plan.data = 2;
    f.workload.batch.global = 2;
    f.place(8, 8);
    const OperatorProfile profile = profile_of(f);
    BOOST_TEST(std::accumulate(profile.bound_share.begin(), profile.bound_share.end(), 0.0) == 1.0,
               tt::tolerance(1e-9));
    BOOST_TEST(profile.bound_share[static_cast<std::size_t>(Bound::communication)] > 0);
}

BOOST_AUTO_TEST_CASE(decoding_one_sequence_reads_each_weight_for_two_flops) {
    Fixture f;
    f.workload.task = Task::inference;
    f.workload.serving = Serving{.input_tokens = 128, .output_tokens = 8};
    f.place(1, 8);
    for (const TimedOperator& op : profile_of(f).operators) {
        if (op.name == "down_proj" && op.phase == "decode") {
            // 2 FLOPs for a weight of 2 bytes, less the few bytes of activations.
            BOOST_TEST(op.intensity() > 0.99);
            BOOST_TEST(op.intensity() < 1.0);
            BOOST_TEST((op.bound == Bound::memory));
            return;
        }
    }
    BOOST_FAIL("no down_proj in the decode phase");
}

BOOST_AUTO_TEST_SUITE_END()
