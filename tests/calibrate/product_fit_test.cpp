#include "calibrate/fit.h"
#include "estimate/time/collective.h"
#include "estimate/time/roofline.h"
#include "tests/calibrate/points.h"

#include <boost/test/unit_test.hpp>

using namespace ridgeline;
using boost::test_tools::tolerance;

namespace {

OperatorCounts counts() {
    return {.product_traffic =
                [](ComputeType type, double m, double n, double k) {
                    return gemm_traffic(type, GemmShape{.m = m, .n = n, .k = k});
                },
            .full_wave_work =
                [](double m, double n, double k, int units) {
                    return full_wave_work(GemmShape{.m = m, .n = n, .k = k}, units);
                },
            .quantize_traffic = [](ComputeType, double m, double k) { return 5 * m * k * byte; },
            .bus_factor = &bus_factor};
}

FittedProducts fitted(const std::vector<MeasuredPoint>& points) {
    const FitResult result = fit_points(points, test::round_reference(), counts());
    BOOST_REQUIRE_EQUAL(result.products.size(), 1U);
    return result.products.front();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(product_fit)

BOOST_AUTO_TEST_CASE(exact_points_give_back_their_parameters) {
    const FittedProducts fit = fitted(test::grid(0.8, 0.85, 4));
    BOOST_TEST(fit.compute_fraction == 0.8, tolerance(1e-3));
    BOOST_TEST(fit.bandwidth_fraction == 0.85, tolerance(1e-3));
    BOOST_TEST((fit.overhead / microsecond) == 4, tolerance(1e-2));
    BOOST_TEST(fit.errors.holdout_median < 1e-3);
    BOOST_TEST(fit.errors.points == 48);
    BOOST_TEST(fit.quality == "good");
    BOOST_TEST(fit.compute_interval.low <= 0.801);
    BOOST_TEST(fit.compute_interval.high >= 0.799);
}

BOOST_AUTO_TEST_CASE(a_few_wild_points_do_not_move_the_fit) {
    std::vector<MeasuredPoint> points = test::grid(0.8, 0.85, 4);
    for (const std::size_t index : {3U, 20U, 41U}) {
        points[index].time.median *= 5;
    }
    const FittedProducts fit = fitted(points);
    BOOST_TEST(fit.compute_fraction == 0.8, tolerance(0.01));
    BOOST_TEST(fit.bandwidth_fraction == 0.85, tolerance(0.01));
}

BOOST_AUTO_TEST_CASE(noisy_wrong_and_throttled_points_are_left_out_and_counted) {
    std::vector<MeasuredPoint> points = test::grid(0.8, 0.85, 4);
    points[0].flags = {"noisy"};
    points[1].flags = {"throttled"};
    points[2].correct = false;
    for (const std::size_t index : {0U, 1U, 2U}) {
        points[index].time.median *= 100;
    }
    const FittedProducts fit = fitted(points);
    BOOST_TEST(fit.errors.points == 45);
    BOOST_TEST(fit.errors.dropped == 3);
    BOOST_TEST(fit.errors.p90 < 1e-3);
}

BOOST_AUTO_TEST_CASE(faster_than_the_datasheet_is_refused_not_clamped) {
    const FitResult result =
        fit_points(test::grid(1.15, 0.85, 4), test::round_reference(), counts());
    BOOST_TEST(result.products.empty());
    BOOST_REQUIRE_EQUAL(result.refused.size(), 1U);
    BOOST_TEST(result.refused.front().reason.find("1.15") != std::string::npos);
}

/// 100 units: a tile of 256 x 128 gives 8192 x 4096 by 1024 tiles, 11 waves of 100 for 10.24.
BOOST_AUTO_TEST_CASE(idle_tiles_show_in_the_share_that_the_times_hold) {
    constexpr int units = 100;
    constexpr double share = 0.6;
    std::vector<MeasuredPoint> points = test::grid(0.8, 0.85, 4);
    for (MeasuredPoint& point : points) {
        const GemmShape shape{.m = point.m, .n = point.n, .k = point.k};
        const double work = shape.flops().base();
        const double full = full_wave_work(shape, units).base();
        BOOST_TEST(full >= work);
        const double compute = (work + share * (full - work)) / (0.8 * 1e15);
        const double memory = gemm_traffic(ComputeType::bf16, shape).base() / (0.85 * 1e12);
        point.time.median = 4 * microsecond + std::hypot(compute, memory) * second;
    }
    RateReference reference = test::round_reference();
    reference.units = units;
    const FitResult result = fit_points(points, reference, counts());
    BOOST_REQUIRE_EQUAL(result.products.size(), 1U);
    BOOST_TEST(result.products.front().wave_share == share, tolerance(0.02));
    BOOST_TEST(result.products.front().compute_fraction == 0.8, tolerance(0.01));
    BOOST_TEST(result.products.front().errors.holdout_median < 0.01);
    // Without the number of units the same times fit worse.
    reference.units = 0;
    const FitResult blind = fit_points(points, reference, counts());
    BOOST_TEST(blind.products.front().wave_share == 0);
    BOOST_TEST(blind.products.front().errors.median > result.products.front().errors.median);
}

BOOST_AUTO_TEST_CASE(too_few_points_are_refused) {
    std::vector<MeasuredPoint> points = test::grid(0.8, 0.85, 4);
    points.resize(7);
    const FitResult result = fit_points(points, test::round_reference(), counts());
    BOOST_TEST(result.products.empty());
    BOOST_REQUIRE_EQUAL(result.refused.size(), 1U);
    BOOST_TEST(result.refused.front().reason.find("7 usable points") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_type_without_a_peak_is_refused) {
    std::vector<MeasuredPoint> points = test::grid(0.8, 0.85, 4);
    for (MeasuredPoint& point : points) {
        point.name = "fp8";
    }
    const FitResult result = fit_points(points, test::round_reference(), counts());
    BOOST_REQUIRE_EQUAL(result.refused.size(), 1U);
    BOOST_TEST(result.refused.front().what == "products in fp8");
}

BOOST_AUTO_TEST_CASE(a_run_becomes_rows_of_its_part) {
    MeasuredRun run = test::run_of(test::grid(0.8, 0.85, 4));
    MeasuredPoint copy;
    copy.kind = PointKind::stream;
    copy.name = "copy";
    copy.bytes = 2e9;
    copy.time.median = 2.5 * millisecond;  // 800 GB/s: 0.8 of the reference
    run.points.push_back(copy);
    MeasuredPoint long_run = test::product(8192, 8192, 8192, 0);
    long_run.kind = PointKind::sustained;
    const double brief_us = test::formula_us(8192, 8192, 8192, 0.8, 0.85, 4);
    long_run.time.median = 1.25 * brief_us * microsecond;  // the clock fell to 80 %
    run.points.push_back(long_run);
    run.products = fit_points(run.points, run.reference, counts()).products;
    const Calibration rows = rows_of(run, Tier::measured, "here");
    BOOST_REQUIRE_EQUAL(rows.kernels.size(), 3U);  // products, streaming, optimizer
    BOOST_TEST(rows.kernels[0].accelerator == "part");
    BOOST_TEST(rows.kernels[0].efficiency.compute_fraction == 0.8, tolerance(1e-3));
    BOOST_TEST(rows.kernels[1].efficiency.bandwidth_fraction == 0.8, tolerance(1e-9));
    BOOST_TEST((rows.kernels[1].efficiency.tier == Tier::measured));
    BOOST_REQUIRE_EQUAL(rows.sustained.size(), 1U);
    BOOST_TEST(rows.sustained.front().matrix_rate == 0.8, tolerance(1e-9));
}

namespace {

MeasuredPoint overlap_point(const char* name, double us) {
    MeasuredPoint point = test::product(4096, 4096, 4096, us);
    point.kind = PointKind::overlap;
    point.name = name;
    return point;
}

}  // namespace

/// 1000 us of product, 400 us of all-reduce, 1100 us together: in the 400 us the product did 300 us
/// of its work, three quarters of its rate.
BOOST_AUTO_TEST_CASE(the_rate_beside_a_collective_comes_from_three_times) {
    std::vector<MeasuredPoint> points{overlap_point("product", 1000),
                                      overlap_point("collective", 400)};
    BOOST_TEST(!rate_beside_collectives(points).has_value());
    points.push_back(overlap_point("both", 1100));
    BOOST_TEST(*rate_beside_collectives(points) == 0.75, tolerance(1e-9));
    MeasuredRun run = test::run_of(points);
    run.backend = "nccl";
    const Calibration rows = rows_of(run, Tier::measured, "here");
    BOOST_REQUIRE_EQUAL(rows.sustained.size(), 1U);
    BOOST_TEST(rows.sustained.front().beside_collectives == 0.75, tolerance(1e-9));
    run.backend = "mpi";  // of host buffers: no figure of the accelerator
    BOOST_TEST(rows_of(run, Tier::measured, "here").sustained.empty());
    // A collective that is longer than the product hides it, not the other way round.
    points[1].time.median = 2 * millisecond;
    BOOST_TEST(!rate_beside_collectives(points).has_value());
}

BOOST_AUTO_TEST_CASE(a_second_opinion_is_not_fitted) {
    std::vector<MeasuredPoint> points = test::grid(0.8, 0.85, 4);
    MeasuredPoint own = points.back();
    own.flags = {"best of", "own kernel"};
    points.push_back(own);
    BOOST_TEST(fitted(points).errors.points == 48);
}

BOOST_AUTO_TEST_SUITE_END()
