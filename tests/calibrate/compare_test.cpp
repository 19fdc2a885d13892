#include "calibrate/compare.h"

#include "tests/calibrate/points.h"

#include <boost/test/unit_test.hpp>

using namespace ridgeline;

namespace {

MeasuredRun scaled(double factor, double jitter = 0) {
    MeasuredRun run = test::run_of(test::grid(0.8, 0.85, 4));
    int index = 0;
    for (MeasuredPoint& point : run.points) {
        const double shift = jitter * (index++ % 5 - 2);
        point.time.median *= factor * (1 + shift);
    }
    return run;
}

Verdict verdict_of(const MeasuredRun& before, const MeasuredRun& after) {
    const auto comparison = compare_measurements(before, after);
    BOOST_REQUIRE(comparison.has_value());
    BOOST_REQUIRE_EQUAL(comparison->figures.size(), 1U);
    return comparison->figures.front().verdict;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(comparison)

BOOST_AUTO_TEST_CASE(four_answers_are_possible) {
    const MeasuredRun before = scaled(1);
    BOOST_TEST((verdict_of(before, scaled(1.005)) == Verdict::same));
    BOOST_TEST((verdict_of(before, scaled(0.8)) == Verdict::faster));
    BOOST_TEST((verdict_of(before, scaled(1.3)) == Verdict::slower));
    // 2 % slower with points between -28 % and +32 %: nobody can tell.
    BOOST_TEST((verdict_of(before, scaled(1.02, 0.15)) == Verdict::ambiguous));
}

BOOST_AUTO_TEST_CASE(the_speed_is_the_median_of_the_ratios) {
    const auto comparison = compare_measurements(scaled(1), scaled(1.25));
    BOOST_REQUIRE(comparison.has_value());
    BOOST_TEST(comparison->figures.front().speed == 0.8, boost::test_tools::tolerance(1e-9));
    BOOST_TEST(comparison->figures.front().points == 48);
}

BOOST_AUTO_TEST_CASE(a_single_point_is_judged_by_its_repetitions) {
    MeasuredRun before = test::run_of({test::product(64, 64, 64, 100)});
    MeasuredRun after = test::run_of({test::product(64, 64, 64, 101)});
    // 98 to 102 of 100 us, 99.99 to 102.01 of 101: the interval reaches beyond 2 %.
    before.points[0].time.p10 = 96 * microsecond;
    BOOST_TEST((verdict_of(before, after) == Verdict::ambiguous));
}

BOOST_AUTO_TEST_CASE(other_methods_and_other_points_do_not_compare) {
    MeasuredRun other = scaled(1);
    other.method = probe_method + 1;
    BOOST_TEST(!compare_measurements(scaled(1), other).has_value());
    const MeasuredRun elsewhere = test::run_of({test::product(5, 5, 5, 1)});
    BOOST_TEST(!compare_measurements(scaled(1), elsewhere).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
