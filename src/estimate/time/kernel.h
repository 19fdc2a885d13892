#pragma once

#include "base/result.h"
#include "estimate/time/device.h"
#include "spec/calibration.h"
#include "spec/machine.h"
#include "spec/workload.h"

#include <string>

namespace ridgeline {

/// Time of a single kernel workload (task `kernel`): a matrix product, a memory stream or a
/// collective.
struct KernelEstimate {
    Seconds time;
    BytesPerSecond bandwidth;  ///< streams: bytes moved / time; collectives: bus bandwidth
    double low = 1;            ///< factors on the time
    double high = 1;
    Tier tier = Tier::assumed;
    std::string kind;  ///< of the prediction (estimate/uncertainty.h), which decides the range
};

/// bare  a library's product alone: low-precision operands are given, not quantised by the
/// operation
Result<KernelEstimate> estimate_kernel(const Kernel& kernel,
                                       ComputeType compute,
                                       const Cluster& cluster,
                                       const DeviceModel& device,
                                       const Calibration& calibration,
                                       bool bare = false);

}  // namespace ridgeline
