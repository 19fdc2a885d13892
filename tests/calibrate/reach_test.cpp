#include "calibrate/reach.h"

#include "calibrate/fit.h"
#include "estimate/time/device.h"
#include "tests/calibrate/points.h"
#include "tests/released.h"

#include <boost/test/unit_test.hpp>

using namespace ridgeline;
using boost::test_tools::tolerance;

namespace {

using released::catalog;

CalibrationFile h100_file() {
    CalibrationFile file;
    file.path = "h100.json";
    MeasuredRun run = test::run_of({});
    run.reference = reference_of(*catalog().accelerator("h100-sxm5-80gb"), "x");
    run.device.vendor = "NVIDIA";
    run.device.pci_id = "2330";
    run.device.memory = 81559 * mebibyte;
    run.device.power_limit_w = 700;
    FittedProducts fit;
    fit.compute_fraction = 0.7;
    fit.bandwidth_fraction = 0.8;
    fit.overhead = 3 * microsecond;
    fit.quality = "good";
    run.products = {fit};
    file.rows = rows_of(run, Tier::measured, "here");
    file.measurement = run;
    return file;
}

std::string refused(const CalibrationFile& file) {
    const auto rows = reaching_rows(file, catalog(), std::nullopt);
    return rows ? "" : rows.error().text();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reach)

BOOST_AUTO_TEST_CASE(the_rows_win_on_the_part_itself) {
    const auto rows = reaching_rows(h100_file(), catalog(), std::nullopt);
    BOOST_REQUIRE(rows.has_value());
    Calibration calibration;
    KernelCalibration published;
    published.accelerator = "h100-sxm5-80gb";
    published.compute = ComputeType::bf16;
    published.training = true;  // wins inside a step over published rows, not over measured ones
    published.efficiency.compute_fraction = 0.5;
    published.efficiency.bandwidth_fraction = 0.5;
    published.efficiency.tier = Tier::published;
    calibration.kernels = {published};
    append(calibration, rows->rows);
    const DeviceModel device = device_model(*catalog().accelerator("h100-sxm5-80gb"), calibration);
    const Efficiency& found = device.of(ComputeType::bf16, OperatorClass::gemm);
    BOOST_TEST(found.compute_fraction == 0.7, tolerance(1e-9));
    BOOST_TEST((found.tier == Tier::measured));
    const double peak = device.peak_of(ComputeType::bf16).base();
    BOOST_TEST(device.training_terms[static_cast<std::size_t>(ComputeType::bf16)]
                                    [static_cast<std::size_t>(OperatorClass::gemm)]
                                        .seconds_per_flop == 1 / (0.7 * peak),
               tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(the_same_chip_gets_fractions_as_transferred) {
    const auto rows = reaching_rows(h100_file(), catalog(), std::nullopt);
    BOOST_REQUIRE(rows.has_value());
    const DeviceModel device = device_model(*catalog().accelerator("h200-sxm-141gb"), rows->rows);
    const Efficiency& found = device.of(ComputeType::bf16, OperatorClass::gemm);
    BOOST_TEST(found.compute_fraction == 0.7, tolerance(1e-9));
    BOOST_TEST((found.tier == Tier::transferred));
}

BOOST_AUTO_TEST_CASE(a_capped_card_speaks_for_itself_alone) {
    CalibrationFile file = h100_file();
    file.measurement->device.power_limit_w = 500;  // below 0.9 x 700
    const auto rows = reaching_rows(file, catalog(), std::nullopt);
    BOOST_REQUIRE(rows.has_value());
    BOOST_TEST(rows->rows.kernels.size() == 2 * file.rows.kernels.size());  // and inside a step
    BOOST_TEST(rows->rows.kernels.back().accelerator == "h100-sxm5-80gb");
    BOOST_REQUIRE_EQUAL(rows->notes.size(), 1U);
    BOOST_TEST(rows->notes.front().find("500 W") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_does_not_match_is_refused_with_the_reason) {
    CalibrationFile file = h100_file();
    file.measurement->device.pci_id = "20b2";
    BOOST_TEST(refused(file).find("20b2") != std::string::npos);
    file = h100_file();
    file.measurement->device.memory = 40 * gibibyte;
    BOOST_TEST(refused(file).find("memory") != std::string::npos);
    file = h100_file();
    file.measurement->device.mig = true;
    BOOST_TEST(refused(file).find("MIG") != std::string::npos);
    file = h100_file();
    file.measurement->device.virtualized = true;
    BOOST_TEST(refused(file).find("virtual") != std::string::npos);
    file = h100_file();
    file.measurement->method = probe_method + 1;
    BOOST_TEST(refused(file).find("method") != std::string::npos);
    file = h100_file();
    file.measurement->reference.accelerator = "h100-smx5-80gb";
    BOOST_TEST(refused(file).find("h100-sxm5-80gb") != std::string::npos);
    file = h100_file();
    MeasuredPoint wrong = test::product(1, 1, 1, 1);
    wrong.correct = false;
    file.measurement->points = {wrong};
    BOOST_TEST(refused(file).find("wrong") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(fractions_follow_a_corrected_datasheet) {
    CalibrationFile file = h100_file();
    // Measured against a peak of twice the catalog's: 0.35 of that is 0.7 of the catalog's.
    auto& peak = file.measurement->reference.peak[static_cast<std::size_t>(ComputeType::bf16)];
    peak = 2.0 * *peak;
    file.rows.kernels.front().efficiency.compute_fraction = 0.35;
    const auto rows = reaching_rows(file, catalog(), std::nullopt);
    BOOST_REQUIRE(rows.has_value());
    BOOST_TEST(rows->rows.kernels.front().efficiency.compute_fraction == 0.7, tolerance(1e-9));
    BOOST_TEST(rows->notes.size() == 1U);
}

BOOST_AUTO_TEST_CASE(age_and_changes_are_told) {
    const auto old = reaching_rows(h100_file(), catalog(), 181);
    BOOST_REQUIRE(old.has_value());
    BOOST_REQUIRE_EQUAL(old->notes.size(), 1U);
    BOOST_TEST(old->notes.front().find("181 days") != std::string::npos);
    BOOST_TEST(reaching_rows(h100_file(), catalog(), 180)->notes.empty());

    MeasuredRun run = *h100_file().measurement;
    run.software.driver = "550.54.15";
    run.device.ecc = true;
    LocalMachine now{.devices = {run.device}, .driver = "580.10", .cuda_driver = "", .reasons = {}};
    now.devices[0].ecc = false;
    now.devices[0].power_limit_w = 600;
    BOOST_TEST(changes_since(run, now).size() == 3U);  // driver, power limit, ECC
    now = {.devices = {run.device}, .driver = "550.99", .cuda_driver = "", .reasons = {}};
    BOOST_TEST(changes_since(run, now).empty());
}

BOOST_AUTO_TEST_CASE(a_measured_cpu_becomes_an_entry) {
    MeasuredRun run = test::run_of({});
    BOOST_TEST(!measured_cpu(run).has_value());
    run.device.kind = "cpu";
    run.device.name = "a CPU";
    run.device.memory = 23 * gibibyte;
    run.reference.accelerator = "local-cpu";
    const auto cpu = measured_cpu(run);
    BOOST_REQUIRE(cpu.has_value());
    BOOST_TEST(cpu->kind == "cpu");
    BOOST_TEST((cpu->capacity() / gibibyte) == 23);
    BOOST_TEST((cpu->memory_bandwidth / gigabyte_per_second) == 1000);
}

BOOST_AUTO_TEST_SUITE_END()
