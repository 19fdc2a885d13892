#pragma once

#include "base/result.h"
#include "spec/measurement.h"

#include <string>
#include <string_view>
#include <vector>

namespace ridgeline {

enum class Verdict { same, faster, slower, ambiguous };
std::string_view name_of(Verdict verdict);

/// One figure of two measurements. `speed` is how many times as fast the second is.
struct ComparedFigure {
    std::string what;  ///< "gemm bf16", "stream copy", "t0 of bf16 products"
    double speed = 1;
    FitInterval interval;  ///< 95 %, of the median over the points that both have
    int points = 0;
    Verdict verdict = Verdict::same;
};

struct MeasurementComparison {
    std::vector<ComparedFigure> figures;
    std::vector<std::string> notes;  ///< what differs in the conditions; what one of them lacks
};

/// Same: the whole interval lies within 2 % of 1. Faster, slower: it lies outside.
/// Ambiguous: anything else, which is a legitimate answer.
/// Errors: measured by other methods, or nothing in common.
Result<MeasurementComparison> compare_measurements(const MeasuredRun& before,
                                                   const MeasuredRun& after);

}  // namespace ridgeline
