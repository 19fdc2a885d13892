#pragma once

#include "ask/request.h"
#include "ask/world.h"
#include "base/result.h"
#include "calibrate/fit.h"
#include "data/benchmark_results.h"
#include "report/calibration_report.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace ridgeline::ask {

/// Points of measured files: what probes wrote and published evidence.
struct MeasuredRows {
    MeasuredRun run;  ///< of the probe's file; of evidence: what is common
    std::map<std::string, std::vector<MeasuredPoint>> points;  ///< of evidence, by accelerator
    std::set<std::string> accelerators;
    bool quantizes = false;  ///< operators of a serving stack, which quantise their activations
    Tier tier = Tier::measured;
    std::vector<std::string> notes;  ///< of other tools' results
};

/// Reads calibration files with points, evidence files (matrix products and collectives) and what
/// other tools measured (data/benchmark_results.h).
///
/// only    rows of evidence whose id contains this
/// layout  ranks and nodes of runs whose output does not say them
Result<MeasuredRows> measured_rows(const std::vector<TreePath>& files, const std::string& only,
                                   const RunLayout& layout, const Profiles& profiles);

/// Ranks and nodes as the options say them.
Result<RunLayout> layout_of(const Request& request);

/// The counts of the operator list, for fits.
OperatorCounts operator_counts();

/// Fits the points of a run anew and keeps the fits in it. Returns what was refused.
std::vector<RefusedFit> fit_run(MeasuredRun& run, bool quantizes);

/// "measured 2026-11-21 on NVIDIA H100 80GB HBM3 (node 5c2e...)": names a run in the provenance.
std::string source_of(const MeasuredRun& run);

/// The calibration file of an answer, to be written to `path` with the folders above it; nothing
/// when that is empty.
std::vector<OutputFile> stored(report::CalibrationAnswer& answer, const std::string& path);

/// The fraction of the dense peak that products of a type are known to reach on a part.
double known_fraction(const World& world, const Accelerator& part, ComputeType type);

/// Fitted figures beside those that the program's own files have for the part, and, as notes, by
/// how much each set misses the measured products. Nothing for a CPU, of which nothing is known.
std::vector<report::KnownFigure> known_figures(const World& world, const MeasuredRun& run,
                                               std::vector<std::string>& notes);

/// The product of two 4096 x 4096 matrices as the file measured it and as it is predicted on other
/// parts, in the types that both have. Nothing when no part is named.
Result<std::vector<report::ProductTime>> product_times(const World& world,
                                                       const CalibrationFile& file,
                                                       const std::vector<std::string>& against);

}  // namespace ridgeline::ask
