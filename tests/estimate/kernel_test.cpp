#include "estimate/time/kernel.h"

#include <boost/test/unit_test.hpp>

using namespace ridgeline;
namespace tt = boost::test_tools;

BOOST_AUTO_TEST_SUITE(kernel)

namespace {

/// 100 TFLOP/s, 1 TB/s, one part of a node of eight on links of 100 GB/s, everything at peak.
struct World {
    Accelerator part;
    Cluster cluster;
    Calibration calibration;
    DeviceModel device;

    World() {
        part.id = "part";
        part.memory_bandwidth = 1000.0 * gigabyte_per_second;
        part.peak_dense[static_cast<std::size_t>(ComputeType::bf16)] = 100.0 * teraflop_per_second;
        part.peak_dense[static_cast<std::size_t>(ComputeType::fp32)] = 50.0 * teraflop_per_second;
        cluster.accelerator = &part;
        cluster.per_node = 8;
        cluster.intra.id = "link";
        cluster.intra.rate = 100.0 * gigabyte_per_second;
        device = device_model(part, calibration);
    }
    World(const World&) = delete;
    [[nodiscard]] Result<KernelEstimate> run(const Kernel& kernel) const {
        return estimate_kernel(kernel, ComputeType::bf16, cluster, device, calibration);
    }
    [[nodiscard]] double seconds(const Kernel& kernel) const { return run(kernel)->time.base(); }
};

}  // namespace

BOOST_AUTO_TEST_CASE(streams_move_one_two_or_three_arrays) {
    const World world;
    BOOST_TEST(world.seconds({.operation = "read", .bytes = 1e9}) == 1e-3, tt::tolerance(1e-9));
    BOOST_TEST(world.seconds({.operation = "fill", .bytes = 1e9}) == 1e-3, tt::tolerance(1e-9));
    BOOST_TEST(world.seconds({.operation = "copy", .bytes = 1e9}) == 2e-3, tt::tolerance(1e-9));
    BOOST_TEST(world.seconds({.operation = "scale", .bytes = 1e9}) == 2e-3, tt::tolerance(1e-9));
    BOOST_TEST(world.seconds({.operation = "triad", .bytes = 1e9}) == 3e-3, tt::tolerance(1e-9));
    const auto triad = world.run({.operation = "triad", .bytes = 1e9});
    BOOST_TEST((triad->bandwidth / gigabyte_per_second) == 1000.0, tt::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(a_large_product_runs_at_the_peak) {
    // 2 x 8192^3 = 1.0995e12 FLOP at 100 TFLOP/s = 10.995 ms; 3 x 8192^2 x 2 B at 1 TB/s = 0.403
    // ms. sqrt(10.995^2 + 0.403^2) = 11.0025 ms.
    const World world;
    BOOST_TEST(world.seconds({.operation = "gemm", .m = 8192, .n = 8192, .k = 8192}) == 11.0025e-3,
               tt::tolerance(1e-4));
}

BOOST_AUTO_TEST_CASE(a_collective_reports_its_bus_bandwidth) {
    const World world;
    const auto all_reduce = world.run({.operation = "all_reduce", .bytes = 1e9, .ranks = 8});
    BOOST_REQUIRE(all_reduce.has_value());
    // Nobody measured this link: three quarters of its rate, 20 us, 8 us times the root of 953.67
    // MiB (30.88): 23.33 + 0.02 + 0.247 ms.
    BOOST_TEST(all_reduce->time.base() == 23.600e-3, tt::tolerance(1e-4));
    BOOST_TEST((all_reduce->bandwidth / gigabyte_per_second) == 1.75 / 23.600e-3,
               tt::tolerance(1e-4));
    BOOST_TEST(world.seconds({.operation = "all_gather", .bytes = 1e9, .ranks = 1}) == 0.0);
}

BOOST_AUTO_TEST_CASE(an_unknown_operation_names_the_nearest) {
    const World world;
    const auto result = world.run({.operation = "all_reduec", .bytes = 1e9, .ranks = 8});
    BOOST_REQUIRE(!result.has_value());
    BOOST_TEST(result.error().hint.find("all_reduce") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_empty_kernel_is_an_error) {
    const World world;
    BOOST_TEST(!world.run({.operation = "gemm", .m = 0, .n = 8, .k = 8}).has_value());
    BOOST_TEST(!world.run({.operation = "copy", .bytes = 0}).has_value());
    BOOST_TEST(!world.run({.operation = "", .bytes = 0}).has_value());
}

BOOST_AUTO_TEST_CASE(the_band_comes_from_the_residuals_of_its_kind) {
    World world;
    ResidualBand band;
    band.quantity = "bandwidth";
    band.low = 0.9;
    band.high = 1.2;
    band.rows = 10;
    world.calibration.residuals = {band};
    KernelCalibration own;
    own.accelerator = "part";
    own.operator_class = OperatorClass::streaming;
    own.efficiency.compute_fraction = 1;
    own.efficiency.bandwidth_fraction = 1;
    own.efficiency.tier = Tier::published;
    world.calibration.kernels = {own};
    world.device = device_model(world.part, world.calibration);
    const auto copy = world.run({.operation = "copy", .bytes = 1e9});
    BOOST_TEST(copy->low == 0.9);
    BOOST_TEST(copy->high == 1.2);
    // A part whose own kernels were seen has a range of its own.
    band.kind = "copy/" + world.part.id;
    band.high = 1.05;
    world.calibration.residuals.push_back(band);
    const auto seen = world.run({.operation = "copy", .bytes = 1e9});
    BOOST_TEST(seen->high == 1.05);
    BOOST_TEST(world.run({.operation = "triad", .bytes = 1e9})->high == 1.2);
}

BOOST_AUTO_TEST_CASE(a_bare_product_does_not_quantise_its_activations) {
    // m k = 1e6 elements in bf16, read twice and written once (6 B) at half of 1 TB/s: 12 us.
    World world;
    KernelCalibration own;
    own.accelerator = "part";
    own.operator_class = OperatorClass::gemm;
    own.efficiency.compute_fraction = 1;
    own.efficiency.bandwidth_fraction = 1;
    own.efficiency.quantize_fraction = 0.5;
    world.calibration.kernels = {own};
    world.device = device_model(world.part, world.calibration);
    const Kernel kernel{.operation = "gemm", .m = 1000, .n = 500, .k = 1000};
    const auto served =
        estimate_kernel(kernel, ComputeType::bf16, world.cluster, world.device, world.calibration);
    const auto bare = estimate_kernel(kernel, ComputeType::bf16, world.cluster, world.device,
                                      world.calibration, true);
    BOOST_TEST((served->parts.front().time - bare->parts.front().time).base() == 12e-6,
               tt::tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(a_host_that_waits_for_one_product_sees_its_launch) {
    // 64^3 takes far less than the 24 us of a launch and a wait; 8192^3 (11 ms) far more.
    World world;
    world.part.kind = "gpu";
    const auto call = [&world](double side, double launches) {
        const Kernel kernel{
            .operation = "gemm", .m = side, .n = side, .k = side, .launches = launches};
        return estimate_kernel(kernel, ComputeType::bf16, world.cluster, world.device,
                               world.calibration, true)
            ->time.base();
    };
    BOOST_TEST(call(64, 1) == 24e-6, tt::tolerance(1e-9));
    BOOST_TEST(call(64, 2) < 1e-6);
    BOOST_TEST(
        call(8192, 1) == world.seconds({.operation = "gemm", .m = 8192, .n = 8192, .k = 8192}),
        tt::tolerance(1e-12));
}

BOOST_AUTO_TEST_SUITE_END()
