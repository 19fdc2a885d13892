#include "data/load.h"
#include "tests/data/files.h"

#include <boost/test/unit_test.hpp>

using namespace ridgeline;

namespace {

constexpr const char* small = R"({
  "schema": "ridgeline/calibration/1",
  "measurement": {
    "method": 1, "created": "2026-11-21T07:00:00Z", "backend": "cuda", "node": "n1",
    "device": {"vendor": "NVIDIA", "pci_id": "2330", "memory_gib": 79.6, "ecc": true, "later": 1},
    "reference": {"accelerator": "h100-sxm5-80gb", "peak_tflop_per_s": {"bf16": 989.5},
                  "memory_bandwidth_gb_per_s": 3350},
    "conditions": {"load_average": 0.5, "interrupted": true},
    "warnings": ["it was warm"]
  },
  "points": [
    {"kind": "gemm", "name": "bf16", "m": 1, "n": 4096, "k": 4096, "correct": true,
     "time_us": {"median": 12.5, "p10": 12, "p90": 13, "least": 11.5, "samples": 40}},
    {"kind": "collective", "name": "all_reduce", "bytes": 1048576, "ranks": 8,
     "time_us": {"median": 30}, "slowest_rank_us": 33}
  ],
  "kernels": [{"accelerator": "h100-sxm5-80gb", "compute": "bf16", "operator_class": "gemm",
               "compute_fraction": 0.8, "bandwidth_fraction": 0.85, "overhead_us": 3.5,
               "tier": "measured", "source": "here"}]
})";

}  // namespace

BOOST_AUTO_TEST_SUITE(measurement)

BOOST_AUTO_TEST_CASE(a_file_of_a_probe_is_read) {
    const TemporaryFolder folder;
    const auto file = load_calibration_file(folder.write("c.json", small));
    BOOST_REQUIRE(file.has_value());
    BOOST_REQUIRE(file->measurement.has_value());
    const MeasuredRun& run = *file->measurement;
    BOOST_TEST(run.reference.accelerator == "h100-sxm5-80gb");
    BOOST_TEST(run.device.pci_id == "2330");
    BOOST_TEST(*run.device.ecc);
    BOOST_TEST(!run.device.mig.has_value());
    BOOST_TEST(run.conditions.interrupted);
    BOOST_REQUIRE_EQUAL(run.points.size(), 2U);
    BOOST_TEST((run.points[0].time.median / microsecond) == 12.5);
    BOOST_TEST(*run.points[0].correct);
    BOOST_TEST((run.points[1].kind == PointKind::collective));
    BOOST_TEST(run.points[1].ranks == 8);
    BOOST_TEST((*run.points[1].slowest_rank / microsecond) == 33);
    // What a point does not say about its spread is its median.
    BOOST_TEST((run.points[1].time.p90 / microsecond) == 30);
    BOOST_REQUIRE_EQUAL(file->rows.kernels.size(), 1U);
}

BOOST_AUTO_TEST_CASE(wrong_files_are_refused_with_the_place) {
    const TemporaryFolder folder;
    const auto refused = [&](const std::string& from, const std::string& to) {
        std::string text = small;
        text.replace(text.find(from), from.size(), to);
        const auto file = load_calibration_file(folder.write("c.json", text));
        return file ? std::string() : file.error().text();
    };
    BOOST_TEST(refused("\"gemm\", \"name\"", "\"gem\", \"name\"").find("/points/0/kind") !=
               std::string::npos);
    BOOST_TEST(refused("\"median\": 12.5", "\"median\": 0").find("median") != std::string::npos);
    BOOST_TEST(refused("\"bf16\": 989.5", "\"bf61\": 989.5").find("bf61") != std::string::npos);
    BOOST_TEST(refused("calibration/1", "calibration/2").find("calibration/1") !=
               std::string::npos);
    BOOST_TEST(refused("\"measurement\"", "\"measured\"").find("measurement") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
