#pragma once

#include "base/result.h"
#include "spec/measurement.h"

#include <string>
#include <vector>

namespace ridgeline {

/// Nodes slower than the others by more than this are named, where it is also beyond the scatter of
/// the others: so many times their median absolute deviation, scaled to a standard deviation.
inline constexpr double outlier_above = 0.05;
inline constexpr double outlier_deviations = 3;

/// How one node stands among the others.
struct NodeStanding {
    std::string node;
    double slowdown = 0;  ///< median over its points of time / median of all nodes, less 1
    std::string worst;    ///< the kind of point at which it is slowest: "gemm bf16"
    double worst_slowdown = 0;
    int points = 0;
    bool outlier = false;
    bool everywhere = false;  ///< an outlier in its whole, not in the worst kind alone
};

/// Whose time a merged point is.
enum class Pace {
    median,   ///< of the nodes: what requests see that any node serves
    slowest,  ///< what synchronous training waits for
};

struct MergedMeasurement {
    MeasuredRun measurement;          ///< points alone: fit them anew
    std::vector<NodeStanding> nodes;  ///< in the order given
};

/// One measurement of many nodes: each point that at least half of them have.
/// Errors: fewer than two; other accelerators, methods or backends.
Result<MergedMeasurement> merge_measurements(const std::vector<MeasuredRun>& parts, Pace pace);

}  // namespace ridgeline
