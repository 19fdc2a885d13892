#pragma once

#include "estimate/operator_profile.h"
#include "report/chart.h"
#include "report/report.h"

#include <string>
#include <vector>

namespace ridgeline::report {

/// One machine of a roofline chart. When the workload cannot run there, `problem` says why.
struct RooflineMachine {
    Cluster cluster;
    Workload workload;  ///< with the plan on this machine
    TimeEstimate time;
    OperatorProfile profile;
    std::string problem;
};

struct RooflineAnswer {
    Architecture architecture;
    std::vector<RooflineMachine> machines;
};

/// Operators of the same name and phase together, the longest first; seconds, FLOPs and bytes of a
/// whole step, so `repeat` is 1.
OperatorLog merged_operators(const OperatorProfile& profile);
/// Kernel time of a step on one rank, seconds.
double kernel_seconds(const OperatorProfile& profile);

/// Attained FLOP/s over FLOPs a byte with the roofs of each machine. Operators that only move bytes
/// have no place in it.
Plot roofline_plot(const RooflineAnswer& answer);
std::string roofline_text(const RooflineAnswer& answer, const Style& style);
std::string roofline_json(const RooflineAnswer& answer, const Stamp& stamp);

}  // namespace ridgeline::report
