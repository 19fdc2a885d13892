#include "estimate/time/device.h"

#include "estimate/time/attention_heads.h"
#include "estimate/time/slowest_part.h"

#include <boost/test/unit_test.hpp>

using namespace ridgeline;
namespace tt = boost::test_tools;

BOOST_AUTO_TEST_SUITE(device)

namespace {

/// A model of a device points into its part and its calibration: both outlive it.
Accelerator made_part() {
    Accelerator part;
    part.id = "own";
    part.chip = "C1";
    part.architecture = "A1";
    part.memory_bandwidth = 2000.0 * gigabyte_per_second;
    part.peak_dense[static_cast<std::size_t>(ComputeType::bf16)] = 400.0 * teraflop_per_second;
    part.peak_dense[static_cast<std::size_t>(ComputeType::fp32)] = 50.0 * teraflop_per_second;
    return part;
}

const Accelerator& a_part() {
    static const Accelerator part = made_part();
    return part;
}

const Calibration no_rows{};

KernelCalibration a_row(std::string accelerator, std::string chip, std::string architecture,
                        std::optional<ComputeType> type, double fraction) {
    KernelCalibration row;
    row.accelerator = std::move(accelerator);
    row.chip = std::move(chip);
    row.architecture = std::move(architecture);
    row.compute = type;
    row.operator_class = OperatorClass::gemm;
    row.efficiency.compute_fraction = fraction;
    row.efficiency.bandwidth_fraction = 0.8;
    row.efficiency.tier = Tier::published;
    return row;
}

double fraction_of(const Calibration& calibration, ComputeType type) {
    return device_model(a_part(), calibration).of(type, OperatorClass::gemm).compute_fraction;
}

}  // namespace

BOOST_AUTO_TEST_CASE(convolutions_that_nobody_measured_are_those_of_the_nearest_relative) {
    Calibration calibration;
    const auto row = [](std::string architecture, double fraction) {
        KernelCalibration one = a_row("", "", std::move(architecture), ComputeType::bf16, fraction);
        one.operator_class = OperatorClass::convolution;
        return one;
    };
    KernelCalibration of_cards = row("Ada Lovelace", 0.8);
    of_cards.half_rate = true;
    calibration.kernels = {row("", 0.45), row("Hopper", 0.5), of_cards, row("CDNA", 0.1),
                           row("CDNA 2", 0.2)};
    calibration.relatives = {{.architecture = "Blackwell",
                              .older = "Ada Lovelace",
                              .least_capability = 12,
                              .source = ""},
                             {.architecture = "RDNA 4", .older = "CDNA 3", .source = ""},
                             {.architecture = "CDNA 3", .older = "CDNA 2", .source = ""},
                             {.architecture = "CDNA 2", .older = "CDNA", .source = ""}};
    const auto reached = [&](const char* architecture, const char* capability, double accumulate) {
        Accelerator part = a_part();
        part.architecture = architecture;
        part.compute_capability = capability;
        part.peak_dense[static_cast<std::size_t>(ComputeType::fp16)] = 400.0 * teraflop_per_second;
        part.peak_dense[static_cast<std::size_t>(ComputeType::fp16_fp16_accumulate)] =
            accumulate * teraflop_per_second;
        return device_model(part, calibration)
            .of(ComputeType::bf16, OperatorClass::convolution)
            .compute_fraction;
    };
    BOOST_TEST(reached("Blackwell", "12.0", 800) ==
               0.8);  // sums at half the rate, as the cards of Ada
    BOOST_TEST(reached("Blackwell", "12.0", 400) == 0.4);  // at the full rate: half of the share
    BOOST_TEST(reached("Ada Lovelace", "8.9", 400) == 0.4);
    BOOST_TEST(reached("Blackwell", "10.0", 400) == 0.45);  // a module is no card
    BOOST_TEST(reached("RDNA 4", "", 400) == 0.2);          // one library of AMD's
    BOOST_TEST(reached("CDNA 3", "", 400) == 0.2);
    BOOST_TEST(reached("A1", "", 400) == 0.45);  // no relative: any part
    calibration.kernels.pop_back();
    BOOST_TEST(reached("RDNA 4", "", 400) == 0.1);  // and on, until one was measured
    BOOST_TEST(reached("CDNA 3", "", 400) == 0.1);
    calibration.kernels.push_back(row("Blackwell", 0.4));
    BOOST_TEST(reached("Blackwell", "12.0", 400) == 0.4);
    BOOST_TEST(reached("Blackwell", "12.0", 800) ==
               0.8);  // of parts at the full rate: twice the share
}

BOOST_AUTO_TEST_CASE(cards_that_add_up_at_half_rate_hold_their_clock_but_on_silicon_of_8_nm) {
    Calibration calibration;
    calibration.sustained = {{.matrix_rate = 0.8, .beside_collectives = 1}};
    const auto held = [&](const char* architecture, double accumulate) {
        Accelerator part = a_part();
        part.architecture = architecture;
        part.peak_dense[static_cast<std::size_t>(ComputeType::fp16)] = 400.0 * teraflop_per_second;
        part.peak_dense[static_cast<std::size_t>(ComputeType::fp16_fp16_accumulate)] =
            accumulate * teraflop_per_second;
        return device_model(part, calibration).sustained_rate;
    };
    BOOST_TEST(held("Ada Lovelace", 800) == 1);
    BOOST_TEST(held("Ada Lovelace", 400) == 0.8);
    BOOST_TEST(held("Ampere", 800) == 0.8);
    calibration.sustained.push_back(
        {.architecture = "Ada Lovelace", .matrix_rate = 0.9, .beside_collectives = 1});
    BOOST_TEST(held("Ada Lovelace", 800) == 0.9);  // measured
}

BOOST_AUTO_TEST_CASE(the_nearest_row_wins_own_then_chip_then_architecture_then_any) {
    Calibration calibration;
    calibration.kernels = {a_row("", "", "", std::nullopt, 0.1)};
    BOOST_TEST(fraction_of(calibration, ComputeType::bf16) == 0.1);
    calibration.kernels.push_back(a_row("", "", "A1", ComputeType::bf16, 0.2));
    BOOST_TEST(fraction_of(calibration, ComputeType::bf16) == 0.2);
    calibration.kernels.push_back(a_row("", "C1", "", ComputeType::bf16, 0.3));
    BOOST_TEST(fraction_of(calibration, ComputeType::bf16) == 0.3);
    calibration.kernels.push_back(a_row("own", "", "", ComputeType::bf16, 0.4));
    BOOST_TEST(fraction_of(calibration, ComputeType::bf16) == 0.4);
    calibration.kernels.push_back(a_row("other", "", "", ComputeType::bf16, 0.9));
    calibration.kernels.push_back(a_row("", "C2", "", ComputeType::bf16, 0.9));
    BOOST_TEST(fraction_of(calibration, ComputeType::bf16) == 0.4);
}

BOOST_AUTO_TEST_CASE(what_doubles_reach_is_not_borrowed) {
    Calibration calibration;
    calibration.kernels = {a_row("", "", "A1", ComputeType::bf16, 0.6),
                           a_row("", "", "A1", ComputeType::fp64, 0.9)};
    BOOST_TEST(fraction_of(calibration, ComputeType::fp32) == 0.6);
}

BOOST_AUTO_TEST_CASE(of_equal_rows_the_later_wins) {
    Calibration calibration;
    calibration.kernels = {a_row("own", "", "", ComputeType::bf16, 0.4),
                           a_row("own", "", "", ComputeType::bf16, 0.5)};
    BOOST_TEST(fraction_of(calibration, ComputeType::bf16) == 0.5);
}

BOOST_AUTO_TEST_CASE(what_is_not_measured_on_the_part_is_marked_transferred) {
    Calibration calibration;
    calibration.kernels = {a_row("", "C1", "", ComputeType::bf16, 0.3)};
    const DeviceModel device = device_model(a_part(), calibration);
    BOOST_TEST((device.of(ComputeType::bf16, OperatorClass::gemm).tier == Tier::transferred));
    calibration.kernels = {a_row("own", "", "", ComputeType::bf16, 0.3)};
    const DeviceModel own = device_model(a_part(), calibration);
    BOOST_TEST((own.of(ComputeType::bf16, OperatorClass::gemm).tier == Tier::published));
}

BOOST_AUTO_TEST_CASE(nothing_measured_is_the_peak_and_assumed) {
    const DeviceModel device = device_model(a_part(), no_rows);
    const Efficiency& efficiency = device.of(ComputeType::bf16, OperatorClass::gemm);
    BOOST_TEST(efficiency.compute_fraction == 1);
    BOOST_TEST((efficiency.tier == Tier::assumed));
}

BOOST_AUTO_TEST_CASE(what_another_type_quantises_is_not_borrowed) {
    // A row of fp8 stands in for bf16, whose operands need no pass before the product.
    Calibration calibration;
    calibration.kernels = {a_row("own", "", "", ComputeType::fp8, 0.3)};
    calibration.kernels[0].efficiency.quantize_fraction = 0.7;
    calibration.kernels[0].efficiency.tile_m = 256;
    calibration.kernels[0].efficiency.tile_n = 128;
    const DeviceModel device = device_model(a_part(), calibration);
    const Efficiency& plain = device.of(ComputeType::bf16, OperatorClass::gemm);
    BOOST_TEST(plain.compute_fraction == 0.3);
    BOOST_TEST(plain.quantize_fraction == 0);
    BOOST_TEST(plain.tile_m == 0);
    BOOST_TEST((plain.tier == Tier::transferred));
}

BOOST_AUTO_TEST_CASE(a_type_without_units_runs_as_the_nearest_wider_one) {
    const DeviceModel device = device_model(a_part(), no_rows);
    const auto runs = [&](ComputeType type) {
        return device.runs_as[static_cast<std::size_t>(type)];
    };
    BOOST_TEST((runs(ComputeType::fp8) == ComputeType::bf16));
    BOOST_TEST((runs(ComputeType::fp4) == ComputeType::bf16));
    BOOST_TEST((runs(ComputeType::bf16) == ComputeType::bf16));
    BOOST_TEST((runs(ComputeType::tf32) == ComputeType::fp32));
    BOOST_TEST(!device.supported[static_cast<std::size_t>(ComputeType::fp8)]);
    BOOST_TEST((device.peak_of(ComputeType::fp8) / teraflop_per_second) == 400.0,
               tt::tolerance(1e-12));
}

// 0.6 of the 50 TFLOP/s of fp32; fp32 and fp16 keep all of them.
BOOST_AUTO_TEST_CASE(bf16_of_parts_before_compute_capability_8_is_widened_in_the_kernels) {
    Accelerator part = a_part();
    part.compute_capability = "7.5";
    part.peak_dense[static_cast<std::size_t>(ComputeType::bf16)].reset();
    const DeviceModel device = device_model(part, no_rows);
    const auto reached = [&](ComputeType type) {
        return device.peak_of(type) / teraflop_per_second;
    };
    BOOST_TEST(reached(ComputeType::bf16) == 30.0, tt::tolerance(1e-12));
    BOOST_TEST(reached(ComputeType::fp32) == 50.0, tt::tolerance(1e-12));
    BOOST_TEST(reached(ComputeType::fp16) == 50.0, tt::tolerance(1e-12));
    part.compute_capability = "8.0";
    BOOST_TEST(widened_share(part, ComputeType::bf16) == 1);
    BOOST_TEST(widened_share(a_part(), ComputeType::bf16) == 1);
}

BOOST_AUTO_TEST_CASE(a_fraction_above_one_counts_as_one) {
    // A card whose clock exceeds the one its peak is stated for.
    Calibration calibration;
    calibration.kernels = {a_row("own", "", "", ComputeType::bf16, 1.08)};
    BOOST_TEST(fraction_of(calibration, ComputeType::bf16) == 1.0);
}

// Without a mask 648 TFLOP/s where the calibrated causal kernel reaches 544 (FlashAttention-3,
// figure 5); heads of 72 run in a kernel for 96; before compute capability 8.0 there is no flash
// kernel.
BOOST_AUTO_TEST_CASE(attention_by_the_width_of_its_heads) {
    Accelerator part = a_part();
    part.compute_capability = "8.0";
    DeviceModel device = device_model(part, no_rows);
    constexpr auto flash1 = static_cast<std::size_t>(FlashGeneration::flash1);
    constexpr auto flash2 = static_cast<std::size_t>(FlashGeneration::flash2);
    device.attention_rate[flash1] = {0.5, 0.25};
    device.attention_rate[flash2] = {1, 1};
    const auto time = [&](double width, bool backward) {
        return time_of_full_attention(device, FlashGeneration::flash2, 1e15, width, backward);
    };
    const double unmasked = 544.0 / 648;
    BOOST_TEST(time(128, false) == unmasked, boost::test_tools::tolerance(1e-9));
    BOOST_TEST(time(72, false) == unmasked * 96 / 72, boost::test_tools::tolerance(1e-9));
    BOOST_TEST(time(512, true) == unmasked / 0.25, boost::test_tools::tolerance(1e-9));
    part.compute_capability = "7.5";
    BOOST_TEST(time(128, false) == unmasked / 0.5, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(a_step_goes_at_the_pace_of_its_slowest_part) {
    // Expected extremes of 8 and 512 normal values lie 1.42 and 3.04 deviations out; one deviation
    // is 0.08 / 5.4.
    BOOST_TEST(time_of_slowest(8) == 1, tt::tolerance(1e-12));
    BOOST_TEST(time_of_slowest(1) == 1 / (1 + 1.42 * 0.08 / 5.4), tt::tolerance(1e-3));
    BOOST_TEST(time_of_slowest(512) == (1 + 3.04 * 0.08 / 5.4) / (1 + 1.42 * 0.08 / 5.4),
               tt::tolerance(1e-3));
}

BOOST_AUTO_TEST_SUITE_END()
