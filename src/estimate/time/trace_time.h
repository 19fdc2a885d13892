#pragma once

#include "estimate/results.h"
#include "estimate/time/device.h"
#include "spec/machine.h"
#include "spec/operator_trace.h"

#include <array>

namespace ridgeline {

/// Measured time over predicted, on the card that a trace was measured on, by kind of operator.
struct TraceRatios {
    std::array<double, operator_classes> of{};  ///< 0: nothing of the kind was measured
    double all = 1;                             ///< of all kernels together
};

/// What the kernels of a trace took against what the roofline says of the card that they ran on.
TraceRatios trace_ratios(const OperatorTrace& trace, const DeviceModel& measured_on);

/// Time of a step that ran, on a cluster of accelerators: each operator by the roofline of its
/// class, kernels no faster than a host launches them, collectives beside the backward pass as far
/// as that lasts, the optimizer. All ranks do what the traced one did.
///
/// ratios  factors from measured durations; all 1 where there are none
/// launch  host time of one eager kernel
/// errors are none: an operator without a shape counts by its bytes
TimeEstimate trace_time(const OperatorTrace& trace, const Cluster& cluster,
                        const DeviceModel& device, const Calibration& calibration,
                        const TraceRatios& ratios, Seconds launch);

}  // namespace ridgeline
