#include "calibrate/statistics.h"

#include "calibrate/minimise.h"

#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace ridgeline;

BOOST_AUTO_TEST_SUITE(statistics)

BOOST_AUTO_TEST_CASE(quantiles_interpolate_between_the_order_statistics) {
    // Of 1, 2, 3, 4 the median lies half way between 2 and 3, the 90th percentile at place 2.7.
    BOOST_TEST(quantile({4, 1, 3, 2}, 0.5) == 2.5);
    BOOST_TEST(quantile({4, 1, 3, 2}, 0.9) == 3.7, boost::test_tools::tolerance(1e-12));
    BOOST_TEST(quantile({7}, 0.1) == 7);
    BOOST_TEST(quantile({}, 0.5) == 0);
}

BOOST_AUTO_TEST_CASE(the_same_seed_draws_the_same_sample) {
    Random first(1);
    Random second(1);
    Random other(2);
    const auto drawn = resample(first, 50);
    BOOST_TEST(drawn == resample(second, 50), boost::test_tools::per_element());
    BOOST_TEST((drawn != resample(other, 50)));
    for (const std::size_t index : drawn) {
        BOOST_TEST(index < 50U);
    }
}

BOOST_AUTO_TEST_CASE(the_minimum_of_a_kinked_valley_is_found) {
    // |x - 3| + 2 |y + 1| is least at (3, -1), where it has no slope to follow.
    const Minimum found = minimise(
        [](const std::vector<double>& at) { return std::abs(at[0] - 3) + 2 * std::abs(at[1] + 1); },
        {0, 0}, 0.5);
    BOOST_TEST(found.at[0] == 3, boost::test_tools::tolerance(1e-3));
    BOOST_TEST(found.at[1] == -1, boost::test_tools::tolerance(1e-3));
}

BOOST_AUTO_TEST_SUITE_END()
