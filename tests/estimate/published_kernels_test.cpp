// The calibration against published kernels: tests/evidence/gemm.json, weighted by group.
#include "estimate/time/kernel.h"
#include "tests/released.h"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

using namespace ridgeline;

BOOST_AUTO_TEST_SUITE(published_kernels)

namespace {

struct Compared {
    double error = 0;
    std::string group;
    bool inside = false;
};

/// Smallest error that at least `share` of the groups' weight does not exceed.
double quantile(std::vector<Compared> rows, double share) {
    std::map<std::string, int> size;
    for (const Compared& row : rows) {
        ++size[row.group];
    }
    std::ranges::sort(rows, {}, &Compared::error);
    double reached = 0;
    for (const Compared& row : rows) {
        reached += 1.0 / size[row.group];
        if (reached >= share * static_cast<double>(size.size())) {
            return row.error;
        }
    }
    return rows.empty() ? 0 : rows.back().error;
}

double share_inside(const std::vector<Compared>& rows) {
    const auto inside = std::ranges::count_if(rows, [](const Compared& row) { return row.inside; });
    return static_cast<double>(inside) / static_cast<double>(rows.size());
}

std::vector<Compared> compare(std::string_view quantity) {
    const Catalog& catalog = released::catalog();
    const Profiles& profiles = released::profiles();
    const auto evidence = load_evidence(released::root + "/tests/evidence/gemm.json");
    BOOST_REQUIRE(evidence.has_value());
    std::vector<Compared> rows;
    for (const EvidenceRow& row : *evidence) {
        const Accelerator* part = catalog.accelerator(row.accelerator);
        const bool large = row.workload.kernel->operation != "gemm" ||
                           std::min(row.workload.kernel->n, row.workload.kernel->k) >= 1024;
        // Of quality B is a sweep that ends before its rate does.
        if (row.quantity != quantity || part == nullptr || !large ||
            (quantity == "bandwidth" && row.quality != "A")) {
            continue;
        }
        Cluster alone;
        alone.accelerator = part;
        const auto estimate =
            estimate_kernel(*row.workload.kernel, row.workload.compute.value_or(ComputeType::bf16),
                            alone, device_model(*part, profiles.calibration), profiles.calibration);
        BOOST_REQUIRE(estimate.has_value());
        const double measured =
            row.measured.time_us
                ? *row.measured.time_us / (estimate->time / microsecond)
                : estimate->bandwidth / gigabyte_per_second / *row.measured.bandwidth_gb_per_s;
        rows.push_back({std::abs(1 / measured - 1), row.group,
                        measured >= estimate->low && measured <= estimate->high});
    }
    return rows;
}

}  // namespace

// torch.matmul of zzc0721/torch-performance-test-data, database.md: fp32 of parts whose figures
// come from others, bf16 on parts without it, fp16 on P100 with sums in fp32.
BOOST_AUTO_TEST_CASE(products_on_vector_units_are_near_published_rates) {
    const auto rate = [](const char* id, ComputeType type) {
        Cluster alone;
        alone.accelerator = released::catalog().accelerator(id);
        BOOST_REQUIRE(alone.accelerator != nullptr);
        const Calibration& calibration = released::profiles().calibration;
        const auto estimate =
            estimate_kernel({.operation = "gemm", .m = 8192, .n = 8192, .k = 8192}, type, alone,
                            device_model(*alone.accelerator, calibration), calibration);
        BOOST_REQUIRE(estimate.has_value());
        return 2 * std::pow(8192.0, 3) / estimate->time.base() / 1e12;
    };
    using enum ComputeType;
    BOOST_TEST(rate("rtx-2080-ti", fp32) == 13.04, boost::test_tools::tolerance(0.2));
    BOOST_TEST(rate("a100-pcie-40gb", fp32) == 17.56, boost::test_tools::tolerance(0.2));
    BOOST_TEST(rate("rtx-a4000", fp32) == 11.9, boost::test_tools::tolerance(0.2));
    BOOST_TEST(rate("h20-96gb", fp32) == 31.95, boost::test_tools::tolerance(0.2));
    BOOST_TEST(rate("rtx-2080-ti", bf16) == 7.28, boost::test_tools::tolerance(0.3));
    BOOST_TEST(rate("gtx-1080-ti", bf16) == 5.38, boost::test_tools::tolerance(0.3));
    BOOST_TEST(rate("p100-pcie", fp16) == 8.39, boost::test_tools::tolerance(0.2));
    BOOST_TEST(rate("jetson-thor", tf32) == 63.87, boost::test_tools::tolerance(0.35));
}

BOOST_AUTO_TEST_CASE(matrix_products_are_near_their_published_times) {
    const auto rows = compare("gemm");
    BOOST_REQUIRE(rows.size() > 500);
    BOOST_TEST(quantile(rows, 0.5) <= 0.06);
    BOOST_TEST(quantile(rows, 0.9) <= 0.18);
    BOOST_TEST(share_inside(rows) >= 0.88);
}

BOOST_AUTO_TEST_CASE(memory_streams_are_near_their_published_rates) {
    const auto rows = compare("bandwidth");
    BOOST_REQUIRE(rows.size() > 20);
    BOOST_TEST(quantile(rows, 0.5) <= 0.03);
    BOOST_TEST(quantile(rows, 0.9) <= 0.08);
}

BOOST_AUTO_TEST_SUITE_END()
