#include "calibrate/merge.h"

#include "tests/calibrate/points.h"

#include <boost/test/unit_test.hpp>

using namespace ridgeline;
using boost::test_tools::tolerance;

namespace {

std::vector<MeasuredRun> eight_nodes(double last_factor) {
    std::vector<MeasuredRun> runs;
    for (int node = 0; node < 8; ++node) {
        MeasuredRun run = test::run_of(test::grid(0.8, 0.85, 4), std::to_string(node));
        for (MeasuredPoint& point : run.points) {
            point.time.median *= node == 7 ? last_factor : 1;
        }
        runs.push_back(run);
    }
    return runs;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(merge)

BOOST_AUTO_TEST_CASE(a_slow_node_is_named_and_does_not_move_the_median) {
    const auto merged = merge_measurements(eight_nodes(1.11), Pace::median);
    BOOST_REQUIRE(merged.has_value());
    BOOST_TEST(merged->nodes[7].outlier);
    BOOST_TEST(merged->nodes[7].slowdown == 0.11, tolerance(1e-6));
    BOOST_TEST(!merged->nodes[0].outlier);
    BOOST_REQUIRE_EQUAL(merged->measurement.warnings.size(), 1U);
    BOOST_TEST(merged->measurement.warnings.front() == "node 7 is 11 % slow");
    BOOST_TEST(merged->measurement.points.front().time.median.base() ==
                   eight_nodes(1).front().points.front().time.median.base(),
               tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(the_slowest_sets_the_pace_when_asked) {
    const auto merged = merge_measurements(eight_nodes(1.11), Pace::slowest);
    BOOST_REQUIRE(merged.has_value());
    BOOST_TEST(merged->measurement.points.front().time.median.base() ==
                   1.11 * eight_nodes(1).front().points.front().time.median.base(),
               tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(a_node_slow_at_one_thing_is_named_with_it) {
    std::vector<MeasuredRun> runs = eight_nodes(1);
    for (MeasuredRun& run : runs) {
        MeasuredPoint copy;
        copy.kind = PointKind::stream;
        copy.name = "copy";
        copy.bytes = 1e9;
        copy.time.median = (run.node == "3" ? 1.2 : 1.0) * millisecond;
        run.points.push_back(copy);
    }
    const auto merged = merge_measurements(runs, Pace::median);
    BOOST_REQUIRE(merged.has_value());
    BOOST_REQUIRE_EQUAL(merged->measurement.warnings.size(), 1U);
    BOOST_TEST(merged->measurement.warnings.front() == "node 3 is 20 % slow in stream copy");
}

BOOST_AUTO_TEST_CASE(unlike_nodes_are_refused) {
    std::vector<MeasuredRun> runs = eight_nodes(1);
    runs[2].reference.accelerator = "other";
    const auto merged = merge_measurements(runs, Pace::median);
    BOOST_REQUIRE(!merged.has_value());
    BOOST_TEST(merged.error().message.find("\"other\"") != std::string::npos);
    runs.resize(1);
    BOOST_TEST(!merge_measurements(runs, Pace::median).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
