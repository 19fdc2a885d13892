#pragma once

#include "calibrate/compare.h"
#include "calibrate/fit.h"
#include "calibrate/match.h"
#include "calibrate/merge.h"
#include "report/report.h"
#include "spec/measurement.h"

#include <string>
#include <vector>

namespace ridgeline::report {

/// One product on one device, measured or predicted.
struct ProductTime {
    std::string device;
    std::string compute;
    Seconds time;
    FlopsPerSecond rate;
    std::string tier;  ///< "measured", "published", ...
};

/// A figure as it was measured and as the files of the program had it before.
struct KnownFigure {
    std::string what;  ///< "a of bf16", "copy bandwidth"
    double measured = 0;
    double known = 0;
    std::string unit;  ///< empty: a fraction
    std::string tier;  ///< of what was known
};

/// A calibration file as `probe`, `calibrate fit` and `calibrate show` print it.
struct CalibrationAnswer {
    CalibrationFile file;
    std::string written;  ///< where it was stored; empty: nowhere
    std::vector<RefusedFit> refused;
    std::vector<std::string> notes;
    std::vector<KnownFigure> known;
    std::vector<ProductTime> against;  ///< the 4096 x 4096 product here and on other parts
};

std::string calibration_text(const CalibrationAnswer& answer, const Style& style);
std::string calibration_json(const CalibrationAnswer& answer, const Stamp& stamp);

/// The user's own files, which `calibrate show` lists where none is named.
std::string calibrations_json(const std::vector<CalibrationAnswer>& kept,
                              const std::vector<std::string>& notes, const Stamp& stamp);

/// The calibration file itself (`ridgeline/calibration/1`), which data/ reads.
std::string calibration_file_json(const CalibrationFile& file);

std::string calibration_comparison_text(const MeasurementComparison& comparison,
                                        const Style& style);
std::string calibration_comparison_json(const MeasurementComparison& comparison,
                                        const Stamp& stamp);

/// The nodes that are slow as a scheduler lists them, to be drained; empty: none.
std::string slow_nodes(const std::vector<NodeStanding>& nodes);
std::string merge_text(const std::vector<NodeStanding>& nodes, const Style& style);
std::string merge_json(const std::vector<NodeStanding>& nodes, const CalibrationAnswer& merged,
                       const Stamp& stamp);

/// A device of the machine with the catalog entry that it is.
struct DetectedDevice {
    DeviceRecord record;
    DeviceMatch match;
    std::string calibration;  ///< file of the user's that holds for it; empty: none
};

struct DetectAnswer {
    LocalMachine machine;
    std::vector<DetectedDevice> devices;
    std::vector<std::string> notes;
};

/// "ok", "no_gpu".
std::string detect_text(const DetectAnswer& answer, const Style& style);
std::string detect_json(const DetectAnswer& answer, const Stamp& stamp);

}  // namespace ridgeline::report
