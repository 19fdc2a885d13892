#include "probes/sampling.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>

using namespace probes;

BOOST_AUTO_TEST_SUITE(sampling)

BOOST_AUTO_TEST_CASE(a_summary_is_of_the_sorted_times) {
    // 1 ... 11: the median is the sixth, the tenth percentile the second, the ninetieth the tenth.
    const Summary summary = summary_of({11, 1, 10, 2, 9, 3, 8, 4, 7, 5, 6});
    BOOST_TEST(summary.median == 6);
    BOOST_TEST(summary.p10 == 2);
    BOOST_TEST(summary.p90 == 10);
    BOOST_TEST(summary.least == 1);
    BOOST_TEST(summary.samples == 11);
    BOOST_TEST(summary.noisy());
    BOOST_TEST(!summary_of(std::vector<double>(20, 1.0)).noisy());
    BOOST_TEST(summary_of({}).samples == 0);
}

BOOST_AUTO_TEST_CASE(disturbed_repetitions_are_thrown_away_where_enough_are_left) {
    const std::vector<Repetition> mostly_quiet{
        {1.0, false}, {3.0, true}, {1.1, false}, {1.2, false}, {9.0, true}};
    const Kept kept = kept_of(mostly_quiet, 3);
    BOOST_TEST((kept.seconds == std::vector<double>{1.0, 1.1, 1.2}));
    BOOST_TEST(!kept.disturbed);
    // Two undisturbed ones are too few: all count, and the point is marked.
    const Kept busy = kept_of({{1.0, false}, {3.0, true}, {1.1, false}, {9.0, true}}, 3);
    BOOST_TEST(busy.seconds.size() == 4U);
    BOOST_TEST(busy.disturbed);
    BOOST_TEST(!kept_of({{1.0, false}}, 3).disturbed);  // there is no more
    BOOST_TEST(kept_of({}, 3).seconds.empty());
}

BOOST_AUTO_TEST_CASE(repetitions_settle_when_their_middle_half_agrees) {
    BOOST_TEST(!settled({1, 1, 1}, 4));  // too few
    BOOST_TEST(!settled({1, 1.001, 1.5, 5}, 4));
    BOOST_TEST(settled({1, 1.001, 1.002, 1.003, 9}, 5));  // one outlier does not count
}

BOOST_AUTO_TEST_CASE(the_grid_has_48_shapes_and_three_weights_beyond_any_cache) {
    const std::vector<Shape> shapes = grid_shapes();
    BOOST_TEST(shapes.size() == 48U);
    std::set<std::pair<double, double>> beyond;
    for (const Shape& shape : shapes) {
        if (2 * shape.n * shape.k > 126.0 * 1024 * 1024) {  // the largest L2: B200, 126 MiB
            beyond.insert({shape.n, shape.k});
        }
    }
    BOOST_TEST(beyond.size() >= 2U);
    BOOST_TEST(quick_shapes().size() < shapes.size() / 2);
}

BOOST_AUTO_TEST_CASE(copies_of_a_weight_exceed_the_cache_four_times_within_memory) {
    // 32 MB of weight, 50 MB of cache: 200 / 32 = 6.25, and one more.
    BOOST_TEST(rotating_copies(32e6, 50e6, 1e9) == 7U);
    BOOST_TEST(rotating_copies(32e6, 50e6, 100e6) == 3U);
    BOOST_TEST(rotating_copies(2e9, 50e6, 1e9) == 1U);
}

BOOST_AUTO_TEST_CASE(launches_fill_the_span) {
    BOOST_TEST(launches_for(1e-4, 1e-3, 64) == 11);
    BOOST_TEST(launches_for(1e-6, 1e-3, 64) == 64);
    BOOST_TEST(launches_for(1.0, 1e-3, 64) == 1);
}

BOOST_AUTO_TEST_CASE(an_order_holds_everything_once_and_depends_on_the_seed) {
    std::vector<std::size_t> order = shuffled(100, 7);
    BOOST_TEST((order != shuffled(100, 8)));
    BOOST_TEST((order == shuffled(100, 7)));
    std::sort(order.begin(), order.end());
    for (std::size_t i = 0; i < order.size(); ++i) {
        BOOST_TEST(order[i] == i);
    }
}

/// A sum of 1024 products of normal numbers in bf16: rounding of the result dominates.
BOOST_AUTO_TEST_CASE(the_tolerated_error_grows_with_the_result_and_the_root_of_k) {
    const double eps_out = 1.0 / 256;
    const double eps_sum = 0x1p-24;
    const double at_64 = probes::tolerance(64, 1024, 6, eps_out, eps_sum);
    BOOST_TEST(at_64 == 8 * (0.25 + 0x1p-24 * 32 * 36), boost::test_tools::tolerance(1e-9));
    BOOST_TEST(
        tolerance(0, 4096, 6, eps_out, eps_sum) == 2 * tolerance(0, 1024, 6, eps_out, eps_sum),
        boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_SUITE_END()
