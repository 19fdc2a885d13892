#include <boost/test/unit_test.hpp>

#include "calibrate/fit.h"
#include "estimate/collective.h"
#include "estimate/roofline.h"
#include "tests/calibrate/points.h"

using namespace ridgeline;
using boost::test_tools::tolerance;

namespace {

OperatorCounts counts() {
    return {.product_traffic =
                [](ComputeType type, double m, double n, double k) {
                    return gemm_traffic(type, GemmShape{.m = m, .n = n, .k = k});
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

BOOST_AUTO_TEST_SUITE_END()
