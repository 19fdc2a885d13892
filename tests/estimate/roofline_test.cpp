#include "estimate/time/roofline.h"

#include <boost/test/unit_test.hpp>
#include <rapidcheck.h>

#include <cmath>

using namespace ridgeline;
namespace tt = boost::test_tools;

BOOST_AUTO_TEST_SUITE(roofline)

namespace {

struct Part {
    double tflops = 400;
    double gb_per_s = 2000;
    double compute = 0.8;
    double bandwidth = 0.9;
    double overhead_us = 4;
    double exponent = 2;
    double wave_share = 0;
    int tile = 0;
    double quantize = 0;
};

/// Accelerators outlive the models that point at them.
struct Made {
    Accelerator part;
    DeviceModel device;
    explicit Made(const Part& p) {
        part.id = "part";
        part.units = 100;
        part.memory_bandwidth = p.gb_per_s * gigabyte_per_second;
        part.peak_dense[static_cast<std::size_t>(ComputeType::bf16)] =
            p.tflops * teraflop_per_second;
        Calibration calibration;
        KernelCalibration row;
        row.accelerator = "part";
        row.efficiency.compute_fraction = p.compute;
        row.efficiency.bandwidth_fraction = p.bandwidth;
        row.efficiency.overhead = p.overhead_us * microsecond;
        row.efficiency.exponent = p.exponent;
        row.efficiency.wave_share = p.wave_share;
        row.efficiency.tile_m = p.tile;
        row.efficiency.tile_n = p.tile;
        row.efficiency.quantize_fraction = p.quantize;
        row.efficiency.tier = Tier::published;
        calibration.kernels = {row};
        device = device_model(part, calibration);
    }
    [[nodiscard]] double time(double flops, double bytes) const {
        return roofline_time(device, ComputeType::bf16, OperatorClass::gemm, Flops::of_base(flops),
                             Bytes::of_base(bytes))
            .time.base();
    }
    [[nodiscard]] double gemm(double m, double n, double k) const {
        return gemm_time(device, ComputeType::bf16, {.m = m, .n = n, .k = k}).time.base();
    }
};

Part any_part() {
    Part part;
    part.tflops = *rc::gen::inRange(10, 5000);
    part.gb_per_s = *rc::gen::inRange(100, 10000);
    part.compute = *rc::gen::inRange(10, 100) / 100.0;
    part.bandwidth = *rc::gen::inRange(10, 100) / 100.0;
    part.overhead_us = *rc::gen::inRange(0, 30);
    part.exponent = *rc::gen::inRange(10, 60) / 10.0;
    part.wave_share = *rc::gen::inRange(0, 11) / 10.0;
    part.quantize = *rc::gen::element(0.0, 0.5);
    return part;
}

double any_work() { return std::pow(10.0, *rc::gen::inRange(0, 150) / 10.0); }
double any_side() { return *rc::gen::inRange(1, 20000); }

}  // namespace

BOOST_AUTO_TEST_CASE(the_two_sides_add_as_the_root_of_squares) {
    // 3.2e9 FLOP at 0.8 x 400 TFLOP/s = 10 us; 43.2e6 B at 0.9 x 2 TB/s = 24 us; t0 4 us.
    // 4 + sqrt(10^2 + 24^2) = 4 + 26 = 30 us.
    BOOST_TEST(Made(Part{}).time(3.2e9, 43.2e6) == 30e-6, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(another_exponent_is_used) {
    // p = 1: the sides add. 4 + 10 + 24 us.
    Part part;
    part.exponent = 1;
    BOOST_TEST(Made(part).time(3.2e9, 43.2e6) == 38e-6, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(nothing_to_do_takes_no_time) { BOOST_TEST(Made(Part{}).time(0, 0) == 0.0); }

BOOST_AUTO_TEST_CASE(the_longer_side_is_the_bound) {
    const Made made(Part{});
    const auto bound = [&](double flops, double bytes) {
        return roofline_time(made.device, ComputeType::bf16, OperatorClass::gemm,
                             Flops::of_base(flops), Bytes::of_base(bytes))
            .bound;
    };
    BOOST_TEST((bound(1e12, 1e6) == Bound::compute));
    BOOST_TEST((bound(1e9, 1e9) == Bound::memory));
    BOOST_TEST((bound(1e6, 1e3) == Bound::overhead));
}

BOOST_AUTO_TEST_CASE(a_product_pays_for_the_wave_it_does_not_fill) {
    // 100 units, tiles of 128: 1280 x 1280 is 100 tiles, one full wave; 1280 x 1408 is 110 tiles,
    // two waves. Compute side alone (k large): the second takes twice as long, not 1.1 times.
    Part part;
    part.wave_share = 1;
    part.tile = 128;
    part.overhead_us = 0;
    part.gb_per_s = 1e6;
    const Made made(part);
    BOOST_TEST(made.gemm(1280, 1408, 65536) / made.gemm(1280, 1280, 65536) == 2.0,
               tt::tolerance(1e-2));
}

BOOST_AUTO_TEST_CASE(quantising_activations_costs_their_traffic) {
    // m k = 1e6 elements, two reads of 2 B and a write of 2 B at half of 2 TB/s: 6 us more.
    Part plain;
    Part quantising;
    quantising.quantize = 0.5;
    BOOST_TEST(Made(quantising).gemm(1000, 500, 1000) - Made(plain).gemm(1000, 500, 1000) == 6e-6,
               tt::tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(stored_weights_replace_the_operand_bytes) {
    // A thin product streams its weight: 2 B an element against half a byte.
    Part part;
    part.overhead_us = 0;
    part.tflops = 1e6;
    const Made made(part);
    const GemmShape shape{.m = 1, .n = 8192, .k = 8192};
    const double full =
        gemm_time(made.device, ComputeType::bf16, shape, OperatorClass::gemm).time.base();
    const double packed =
        gemm_time(made.device, ComputeType::bf16, shape, OperatorClass::gemm, 8192.0 * 8192 / 2)
            .time.base();
    BOOST_TEST(full / packed == 4.0, tt::tolerance(0.01));
}

BOOST_AUTO_TEST_CASE(never_faster_than_either_bound_at_peak) {
    BOOST_TEST(rc::check([] {
        const Part part = any_part();
        const Made made(part);
        const double flops = any_work();
        const double bytes = any_work();
        const double time = made.time(flops, bytes) * (1 + 1e-12);
        RC_ASSERT(time >= flops / (part.tflops * 1e12));
        RC_ASSERT(time >= bytes / (part.gb_per_s * 1e9));
    }));
}

BOOST_AUTO_TEST_CASE(more_work_never_takes_less_time) {
    BOOST_TEST(rc::check([] {
        const Made made(any_part());
        const double flops = any_work();
        const double bytes = any_work();
        RC_ASSERT(made.time(2 * flops, bytes) >= made.time(flops, bytes));
        RC_ASSERT(made.time(flops, 2 * bytes) >= made.time(flops, bytes));
        const double m = any_side();
        const double n = any_side();
        const double k = any_side();
        const double time = made.gemm(m, n, k);
        RC_ASSERT(made.gemm(m + any_side(), n, k) >= time);
        RC_ASSERT(made.gemm(m, n + any_side(), k) >= time);
        RC_ASSERT(made.gemm(m, n, k + any_side()) >= time);
    }));
}

BOOST_AUTO_TEST_CASE(a_faster_part_is_never_slower) {
    BOOST_TEST(rc::check([] {
        const Part part = any_part();
        Part faster = part;
        faster.tflops *= 1 + *rc::gen::inRange(0, 10);
        faster.gb_per_s *= 1 + *rc::gen::inRange(0, 10);
        const double m = any_side();
        const double n = any_side();
        const double k = any_side();
        RC_ASSERT(Made(faster).gemm(m, n, k) <= Made(part).gemm(m, n, k) * (1 + 1e-12));
    }));
}

// A product alone takes tiles of 64 rows; experts of few tokens tiles of 16 at 0.63 of the rate,
// until those of 64 are no slower.
BOOST_AUTO_TEST_CASE(experts_of_few_tokens_take_smaller_tiles) {
    Made made{Part{}};
    const auto rows = [&made](OperatorClass operator_class, double m) {
        return filled_rows(made.device, ComputeType::bf16, operator_class, m);
    };
    BOOST_TEST(rows(OperatorClass::gemm, 1) == 1);
    made.part.architecture = "Hopper";
    BOOST_TEST(rows(OperatorClass::gemm, 1) == 64);
    BOOST_TEST(rows(OperatorClass::gemm, 80) == 80);
    BOOST_TEST(rows(OperatorClass::grouped_gemm, 1) == 16 / 0.63);
    BOOST_TEST(rows(OperatorClass::grouped_gemm, 32) == 32 / 0.63);
    BOOST_TEST(rows(OperatorClass::fused_experts, 32) == 32 / 0.63);
    BOOST_TEST(rows(OperatorClass::grouped_gemm, 50) == 64);
    BOOST_TEST(rows(OperatorClass::grouped_gemm, 80) == 80);
}

BOOST_AUTO_TEST_SUITE_END()
