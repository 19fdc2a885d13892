#pragma once

#include "advise/validation/scaling.h"
#include "report/chart.h"
#include "report/report.h"

#include <optional>
#include <string>
#include <vector>

namespace ridgeline::report {

/// One value of the swept field with its estimate, or why there is none.
struct SweepPoint {
    double value = 0;
    std::optional<EstimateAnswer> answer;
    std::string problem;
};

/// A workload estimated at several values of one field.
struct SweepAnswer {
    std::string
        field;  ///< "accelerators", "sequence", "batch", "micro-batch", "concurrency", "rank"
    Architecture architecture;
    bool fixed_batch = false;  ///< the samples of a step are stated: more accelerators share them
    std::vector<SweepPoint> points;
};

/// Time and cost of one value: of the run when it has a length, else of a million tokens (a
/// thousand samples where there are no tokens).
struct SweepFigures {
    double seconds = 0;
    std::optional<double> usd;
    std::string unit;  ///< "the run", "1M tokens", "1000 samples"
};
SweepFigures figures_of(const EstimateAnswer& answer);

/// Model, method and stack of the sweep, "stack by row" where the rows differ in it. Precondition:
/// a point has an answer.
std::string subject_of(const SweepAnswer& answer);

/// The points as the scaling rules see them.
std::vector<ScalePoint> scale_points(const SweepAnswer& answer);
/// Where growing stops paying, by the rule of the field.
std::optional<ScaleLimit> limit_of(const SweepAnswer& answer);
/// The sentence that says so.
std::string limit_sentence(const SweepAnswer& answer);

/// Time, cost and efficiency over the field, each as a multiple of the first value that runs.
Plot sweep_plot(const SweepAnswer& answer);
std::string sweep_text(const SweepAnswer& answer, const Style& style);
std::string sweep_json(const SweepAnswer& answer, const Stamp& stamp);

}  // namespace ridgeline::report
