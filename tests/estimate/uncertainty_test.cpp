#include "estimate/uncertainty.h"

#include "estimate/input.h"
#include "estimate/time/device.h"

#include <boost/test/unit_test.hpp>

#include <utility>

using namespace ridgeline;

BOOST_AUTO_TEST_SUITE(uncertainty)

namespace {

Calibration bands() {
    Calibration calibration;
    calibration.residuals = {
        {.quantity = "train_time", .kind = "", .low = 0.7, .high = 1.4, .rows = 100, .source = ""},
        {.quantity = "train_time",
         .kind = "full",
         .low = 0.8,
         .high = 1.3,
         .rows = 60,
         .source = ""},
        {.quantity = "train_time",
         .kind = "full/nemo",
         .low = 0.9,
         .high = 1.1,
         .rows = 40,
         .source = ""},
        {.quantity = "train_time",
         .kind = "*/nemo",
         .low = 0.85,
         .high = 1.2,
         .rows = 50,
         .source = ""},
        {.quantity = "memory",
         .kind = "*/*/reserved",
         .low = 0.95,
         .high = 1.1,
         .rows = 9,
         .source = ""},
    };
    return calibration;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_most_specific_kind_wins) {
    const Calibration calibration = bands();
    BOOST_TEST(band_for(calibration, {"train_time", {"full", "nemo"}}).high == 1.1);
    BOOST_TEST(band_for(calibration, {"train_time", {"full", "nemo", "Hopper"}}).high == 1.1);
    BOOST_TEST(band_for(calibration, {"train_time", {"lora", "nemo"}}).high == 1.2);
    BOOST_TEST(band_for(calibration, {"train_time", {"full", "torchtitan"}}).high == 1.3);
    BOOST_TEST(band_for(calibration, {"train_time", {"qlora", "torchtune"}}).high == 1.4);
}

// Runs of encoders, of images or of sound were measured with networks, those of language models
// apart.
BOOST_AUTO_TEST_CASE(encoders_are_judged_with_networks) {
    Accelerator part;
    part.id = "part";
    part.architecture = "Hopper";
    Architecture architecture;
    architecture.stacks.resize(1);
    Workload workload;
    workload.framework = "pytorch";
    const SoftwareProfile software;
    const DeviceModel device;
    const Calibration calibration;
    Cluster cluster;
    cluster.accelerator = &part;
    const EstimateInput input{architecture, workload, cluster, software, device, calibration};
    const auto kind = [&](ModelKind of, int patches) {
        architecture.kind = of;
        architecture.stacks.front().tokens = patches;
        return training_kind(input).text();
    };
    BOOST_TEST(kind(ModelKind::decoder, 0) == "full/pytorch/dense/Hopper/part");
    BOOST_TEST(kind(ModelKind::encoder_decoder, 0) == "full/pytorch/dense/Hopper/part");
    BOOST_TEST(kind(ModelKind::encoder, 0) == "train/encoder/pytorch/half/Hopper/part");
    BOOST_TEST(kind(ModelKind::encoder, 197) == "train/vision/pytorch/half/Hopper/part");
    BOOST_TEST(kind(ModelKind::encoder_decoder, 1500) == "train/speech/pytorch/half/Hopper/part");
}

BOOST_AUTO_TEST_CASE(a_star_matches_any_piece) {
    const Calibration calibration = bands();
    BOOST_TEST(band_for(calibration, {"memory", {"full", "torchtitan", "reserved"}}).high == 1.1);
    BOOST_TEST(
        band_for(calibration, {"memory", {"full", "torchtitan", "allocated"}}).evidence_rows == 0);
}

BOOST_AUTO_TEST_CASE(a_kind_is_written_from_the_general_to_the_particular) {
    BOOST_TEST(PredictionKind("train_time", {"full", "nemo", "Hopper"}).text() ==
               "full/nemo/Hopper");
    const Interval band = band_for(bands(), {"train_time", {"full", "nemo", "Hopper"}});
    BOOST_TEST(band.evidence_rows == 40);
}

BOOST_AUTO_TEST_CASE(no_evidence_is_wide_and_says_so) {
    const Interval band = band_for(Calibration{}, {"train_time", {"full", "nemo"}});
    BOOST_TEST(band.evidence_rows == 0);
    BOOST_TEST(band.low < 0.7);
    BOOST_TEST(band.high > 1.4);
}

BOOST_AUTO_TEST_CASE(a_later_row_of_equal_weight_wins) {
    Calibration calibration = bands();
    calibration.residuals.push_back({.quantity = "train_time",
                                     .kind = "full/nemo",
                                     .low = 0.99,
                                     .high = 1.01,
                                     .rows = 3,
                                     .source = "own run"});
    BOOST_TEST(band_for(calibration, {"train_time", {"full", "nemo"}}).high == 1.01);
}

// Rows that all lie on one side tell of a lean of the estimate; the range that is shown still
// reaches to it.
BOOST_AUTO_TEST_CASE(a_range_holds_the_estimate) {
    for (const auto& [low, high] :
         {std::pair{1.009, 1.31}, std::pair{0.6, 0.97}, std::pair{0.9, 1.2}}) {
        Calibration calibration;
        calibration.residuals.push_back({.quantity = "train_time",
                                         .kind = "full/nemo",
                                         .low = low,
                                         .high = high,
                                         .rows = 5,
                                         .source = ""});
        const Interval band = band_for(calibration, {"train_time", {"full", "nemo"}});
        BOOST_TEST(band.low <= 1);
        BOOST_TEST(band.high >= 1);
        BOOST_TEST(band.low <= low);
        BOOST_TEST(band.high >= high);
    }
}

BOOST_AUTO_TEST_CASE(a_stack_tells_little_of_the_parts_of_a_maker_that_nobody_measured) {
    Calibration calibration = bands();
    Accelerator part;
    part.vendor = "Intel";
    part.architecture = "Xe2";
    const PredictionKind nemo{"train_time", {"full", "nemo", "dense", "Xe2"}};
    // Where nothing says whose parts were measured, nothing is known to be missing.
    BOOST_TEST(band_on_part(calibration, part, nemo).high == 1.1);
    calibration.residuals.front().makers = {"AMD", "NVIDIA"};
    BOOST_TEST(band_on_part(calibration, part, nemo).low == assumed_band.low);
    BOOST_TEST(band_on_part(calibration, part, nemo).high == assumed_band.high);
    BOOST_TEST(band_on_part(calibration, part, nemo).evidence_rows == 0);
    part.vendor = "AMD";
    BOOST_TEST(band_on_part(calibration, part, nemo).high == 1.1);
    // A row of its own architecture speaks for it, whoever made it.
    part.vendor = "Intel";
    calibration.residuals.push_back({.quantity = "train_time",
                                     .kind = "full/nemo/dense/Xe2",
                                     .low = 0.9,
                                     .high = 1.2,
                                     .rows = 4,
                                     .source = ""});
    BOOST_TEST(band_on_part(calibration, part, nemo).high == 1.2);
}

BOOST_AUTO_TEST_SUITE_END()
