#include "probes/cuda/run.h"
#include "tests/probes/recorded.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>

using namespace probes;
using probes::test::Recorded;

namespace {

constexpr double peak = 1e15;
constexpr double bandwidth = 3e12;

/// A device that takes the time of a formula, with a clock that only its own work moves.
struct MadeUpDevice : Backend {
    double clock = 0;
    double slowness = 1;
    double memory = 2e9;  // bytes of each operand
    Reading sensors{700, 1700, 60, false};
    int throttled_readings = 0;
    std::string broken_type;   // every product of it throws
    std::string unknown_type;  // the library has no algorithm
    std::string wrong_type;    // one element is NaN
    std::vector<std::pair<std::string, Shape>> products;
    std::vector<int> candidates;
    double rested_s = 0;

    double now() override { return clock; }
    void rest(double seconds) override {
        clock += seconds;
        rested_s += seconds;
    }
    Reading reading() override {
        Reading now = sensors;
        now.throttled = throttled_readings > 0;
        throttled_readings = std::max(0, throttled_readings - 1);
        return now;
    }
    std::string library() override { return "made up 1.0"; }
    double open_operands() override { return memory; }
    void prepare(const OperandType& type, std::uint64_t) override {
        clock += 0.01;
        if (broken_type == std::string("prepare ") + type.name) {
            throw std::runtime_error("out of memory");
        }
    }
    double time_of(const OperandType& type, const Shape& shape) const {
        const double bytes = type.operand_bytes * (shape.m * shape.k + shape.n * shape.k) +
                             type.result_bytes * shape.m * shape.n;
        return slowness * (4e-6 + std::hypot(shape.flop() / peak, bytes / bandwidth));
    }
    ProductTiming product(const OperandType& type, const Shape& shape, std::size_t, int tried,
                          double budget_s, const std::function<bool()>&) override {
        products.emplace_back(type.name, shape);
        candidates.push_back(tried);
        clock += 0.02;
        if (broken_type == type.name) {
            throw std::runtime_error("the launch failed");
        }
        if (unknown_type == type.name) {
            return {};
        }
        const double each = time_of(type, shape);
        clock += std::max(budget_s, each);
        ProductTiming timing{1, summary_of(std::vector<double>(20, each)), {{1, 1}, {2, 2}}};
        if (wrong_type == type.name) {
            timing.checked.push_back({std::numeric_limits<double>::quiet_NaN(), 1});
        }
        return timing;
    }
    double series(const OperandType& type, const Shape& shape, int count) override {
        const double each = time_of(type, shape);
        clock += count * each;
        return each;
    }
    void close_operands() override {}
    double open_arrays(std::uint64_t) override { return 1024.0 * 1024 * 1024; }
    Summary pass(Pass pass, double bytes, double budget_s, const std::function<bool()>&) override {
        clock += budget_s;
        const double arrays = pass == Pass::triad ? 3 : pass == Pass::copy ? 2 : 1;
        return summary_of(std::vector<double>(20, arrays * bytes / bandwidth));
    }
    void close_arrays() override {}
    void host_links(const Reporter&, double budget_s, bool) override { clock += budget_s; }
    void peer_links(const Reporter&, double, bool) override { throw std::runtime_error("no peer"); }
    void launches(const Reporter&, double budget_s) override { clock += budget_s; }
};

struct Ran {
    MadeUpDevice device;
    Recorded recorded;

    void run(double budget_s, int capability = 90, int kinds = RIDGELINE_PROBE_ALL) {
        RidgelineProbeRequest request{};
        request.kinds = kinds;
        request.budget_s = budget_s;
        request.seed = 11;
        const RidgelineProbeHost host = recorded.host();
        Device entry;
        entry.capability = capability;
        entry.units = 132;
        entry.l2_bytes = 50 * 1024.0 * 1024;
        CudaRun(request, host, entry, device).run();
    }
};

std::set<std::string> types_of(const Recorded& recorded) {
    std::set<std::string> types;
    for (const auto& point : recorded.of_kind("gemm")) {
        types.insert(point.name);
    }
    return types;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cuda_run)

BOOST_AUTO_TEST_CASE(the_plan_is_the_grid_and_large_squares) {
    const std::vector<Shape> shapes = planned_shapes(false, 3);
    BOOST_TEST(shapes.size() == 50U);  // 8192 squared is of the grid
    const auto edge = [&](double length) {
        return std::count_if(shapes.begin(), shapes.end(), [&](const Shape& shape) {
            return shape.m == length && shape.n == length && shape.k == length;
        });
    };
    BOOST_TEST(edge(4096) == 1);
    BOOST_TEST(edge(8192) == 1);
    BOOST_TEST(edge(16384) == 1);
    BOOST_TEST((planned_shapes(false, 3).front().m != planned_shapes(false, 4).front().m ||
                planned_shapes(false, 3)[1].m != planned_shapes(false, 4)[1].m));
}

BOOST_AUTO_TEST_CASE(a_chip_is_measured_in_the_types_that_it_has) {
    Ran turing;
    turing.run(90, 75);
    BOOST_TEST(
        (types_of(turing.recorded) == std::set<std::string>{"fp16", "int8", "fp32", "fp64"}));
    Ran ampere;
    ampere.run(90, 80);
    BOOST_TEST((types_of(ampere.recorded) ==
                std::set<std::string>{"bf16", "fp16", "int8", "tf32", "fp32", "fp64"}));
    Ran blackwell;
    blackwell.run(90, 100);
    BOOST_TEST(types_of(blackwell.recorded).size() == operand_types().size());
}

BOOST_AUTO_TEST_CASE(every_shape_of_every_type_is_measured_within_the_time) {
    Ran ran;
    ran.run(90);
    BOOST_TEST(ran.device.clock <= 90 + 1);
    // 16384 squared in fp64 is 2 GiB, more than the made-up operands hold.
    BOOST_TEST(ran.recorded.of_kind("gemm", "bf16").size() == 50U);
    BOOST_TEST(ran.recorded.of_kind("gemm", "fp64").size() >= 48U);
    BOOST_TEST(ran.recorded.of_kind("sustained").size() == 1U);
    BOOST_TEST(ran.recorded.of_kind("stream", "copy").size() == 6U);  // 1 MiB to 1 GiB by 4
    BOOST_TEST(ran.recorded.facts["blas"] == "made up 1.0");
    BOOST_TEST(ran.recorded.facts.count("drift") == 1U);
    BOOST_TEST(ran.recorded.facts["temperature_max_c"].substr(0, 2) == "60");
}

BOOST_AUTO_TEST_CASE(a_quick_run_ends_after_fifteen_seconds) {
    Ran ran;
    ran.run(15);
    BOOST_TEST(ran.device.clock <= 16);
    BOOST_TEST(ran.recorded.of_kind("gemm", "bf16").size() >= 8U);  // enough for a fit
    BOOST_TEST(ran.recorded.of_kind("gemm", "fp8").size() >= 8U);
}

BOOST_AUTO_TEST_CASE(a_slow_device_keeps_to_the_time_and_says_what_it_left_out) {
    Ran ran;
    ran.device.slowness = 2000;
    ran.run(90);
    BOOST_TEST(ran.device.clock <= 120);
    BOOST_TEST(!ran.recorded.of_kind("gemm").empty());
    const auto& warnings = ran.recorded.warnings;
    BOOST_TEST(std::any_of(warnings.begin(), warnings.end(), [](const std::string& text) {
        return text.find("left out for want of time") != std::string::npos;
    }));
}

BOOST_AUTO_TEST_CASE(the_squares_show_the_best_algorithm_the_grid_the_first) {
    Ran ran;
    ran.run(90);
    for (std::size_t i = 0; i < ran.device.products.size(); ++i) {
        const Shape& shape = ran.device.products[i].second;
        const bool square = shape.m == shape.n && shape.n == shape.k;
        BOOST_TEST(ran.device.candidates[i] == (square ? 8 : 1));
    }
}

BOOST_AUTO_TEST_CASE(an_interrupt_keeps_what_was_measured_and_measures_no_more) {
    Ran ran;
    ran.recorded.stop = [](std::size_t points) { return points >= 30; };
    ran.run(90);
    BOOST_TEST(ran.recorded.points.size() == 30U);
    BOOST_TEST(ran.recorded.of_kind("sustained").empty());
}

BOOST_AUTO_TEST_CASE(progress_rises_to_its_end_and_counts_down) {
    Ran ran;
    ran.run(90);
    const auto& shares = ran.recorded.shares;
    BOOST_TEST(std::is_sorted(shares.begin(), shares.end()));
    BOOST_TEST(shares.front() < 0.05);
    BOOST_TEST(shares.back() == 1);
    BOOST_TEST(ran.recorded.left_s.back() == 0);
    BOOST_TEST(*std::max_element(ran.recorded.left_s.begin(), ran.recorded.left_s.end()) <= 90);
}

BOOST_AUTO_TEST_CASE(one_failing_type_or_kind_is_a_warning) {
    Ran ran;
    ran.device.broken_type = "fp8";
    ran.device.unknown_type = "int8";
    ran.run(90);
    const std::set<std::string> types = types_of(ran.recorded);
    BOOST_TEST(types.count("fp8") == 0U);
    BOOST_TEST(types.count("int8") == 0U);
    BOOST_TEST(types.count("bf16") == 1U);
    BOOST_TEST(types.count("fp64") == 1U);
    const auto& warnings = ran.recorded.warnings;
    const auto says = [&](const std::string& words) {
        return std::any_of(warnings.begin(), warnings.end(), [&](const std::string& text) {
            return text.find(words) != std::string::npos;
        });
    };
    BOOST_TEST(says("products in fp8: the launch failed"));
    BOOST_TEST(says("peer links: no peer"));
}

BOOST_AUTO_TEST_CASE(a_wrong_element_marks_its_point) {
    Ran ran;
    ran.device.wrong_type = "fp16";
    ran.run(90);
    for (const auto& point : ran.recorded.of_kind("gemm")) {
        BOOST_TEST(point.point.checked == 1);
        BOOST_TEST(point.point.correct == (point.name == "fp16" ? 0 : 1), point.name);
    }
}

BOOST_AUTO_TEST_CASE(a_throttled_point_is_measured_again_after_a_pause) {
    Ran ran;
    ran.device.throttled_readings = 1;
    ran.run(90, 90, RIDGELINE_PROBE_GEMM);
    BOOST_TEST(ran.device.rested_s == 5);
    for (const auto& point : ran.recorded.of_kind("gemm")) {
        BOOST_TEST(point.flags.find("throttled") == std::string::npos);
    }
    Ran hot;
    hot.device.throttled_readings = 100000;
    hot.run(90, 90, RIDGELINE_PROBE_GEMM);
    BOOST_TEST(hot.device.clock <= 91);
    for (const auto& point : hot.recorded.of_kind("gemm")) {
        BOOST_TEST(point.flags.find("throttled") != std::string::npos);
    }
}

BOOST_AUTO_TEST_CASE(operands_that_a_cache_may_hold_are_marked) {
    Ran ran;
    ran.device.memory = 60e6;  // one copy of the 33.5 MB weight: it may stay in 50 MiB of cache
    ran.run(90, 90, RIDGELINE_PROBE_GEMM);
    const auto points = ran.recorded.of_kind("gemm", "bf16");
    BOOST_TEST(!points.empty());
    for (const auto& point : points) {
        const double weight = 2 * point.point.n * point.point.k;
        BOOST_TEST(weight <= 60e6);
        BOOST_TEST(point.flags.find("resident") != std::string::npos);
    }
}

BOOST_AUTO_TEST_CASE(errors_count_what_rounding_allows) {
    const OperandType& bf16 = operand_types().front();
    const Shape shape{128, 128, 1024};
    const double allowed = tolerance(10, 1024, 6, bf16.eps_out, bf16.eps_sum);
    BOOST_TEST(worst_error(bf16, shape, {{10, 10}}) == 0);
    BOOST_TEST(worst_error(bf16, shape, {{10 + 2 * allowed, 10}, {10, 10}}) > 1.9);
    BOOST_TEST(worst_error(bf16, shape, {{NAN, 10}, {10, 10}}) == 1e30);
    // Whole numbers are exact: the smallest difference is an error.
    const auto int8 =
        std::find_if(operand_types().begin(), operand_types().end(),
                     [](const OperandType& type) { return type.element == Element::i8; });
    BOOST_TEST(worst_error(*int8, shape, {{1001, 1000}}) > 1);
    BOOST_TEST(worst_error(*int8, shape, {{1000, 1000}}) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
