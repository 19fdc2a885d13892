#include "calibrate/collective_fit.h"

#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace ridgeline;
using boost::test_tools::tolerance;

BOOST_AUTO_TEST_SUITE(collective_fit)

BOOST_AUTO_TEST_CASE(exact_points_give_back_alpha_beta_and_gamma) {
    // All-reduce over 8: f = 2 x 7 / 8 = 1.75; alpha 15 us, beta 500 GB/s, gamma 10 us / sqrt(MiB).
    std::vector<CollectiveSample> samples;
    for (double bytes = 1024; bytes <= 1 << 30; bytes *= 4) {
        const double us =
            15 + 1.75 * bytes / 500e9 * 1e6 + 10 * std::sqrt(bytes / (1024.0 * 1024.0));
        samples.push_back({1.75 * bytes, bytes, us * microsecond});
    }
    const auto fit = fit_collective(samples, Collective::all_reduce, 8, 1);
    BOOST_REQUIRE(fit.has_value());
    BOOST_TEST((fit->alpha / microsecond) == 15, tolerance(0.01));
    BOOST_TEST((fit->bandwidth / gigabyte_per_second) == 500, tolerance(0.01));
    BOOST_TEST(fit->gamma_us_per_sqrt_mib == 10, tolerance(0.02));
    BOOST_TEST(fit->errors.holdout_median < 0.01);
    // The largest message: 1.75 GiB in 15 + 3758.1 + 320 us.
    BOOST_TEST((fit->largest_measured / gigabyte_per_second) == 459, tolerance(0.01));
}

BOOST_AUTO_TEST_CASE(the_asymptote_stays_near_what_was_seen) {
    // Latency alone: no bandwidth can be read from it, so none far above the messages' is claimed.
    std::vector<CollectiveSample> samples;
    for (double bytes = 256; bytes <= 65536; bytes *= 2) {
        samples.push_back({bytes, bytes, 20 * microsecond});
    }
    const auto fit = fit_collective(samples, Collective::point_to_point, 2, 1);
    BOOST_REQUIRE(fit.has_value());
    BOOST_TEST(fit->bandwidth.base() <= 1.25 * fit->largest_measured.base());
}

BOOST_AUTO_TEST_CASE(four_sizes_are_too_few) {
    const std::vector<CollectiveSample> samples(4, {1024, 1024, 10 * microsecond});
    BOOST_TEST(!fit_collective(samples, Collective::all_reduce, 2, 1).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
