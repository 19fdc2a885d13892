#pragma once

#include "base/result.h"
#include "estimate/families/kernel/kernel_work.h"
#include "estimate/results.h"
#include "estimate/time/device.h"
#include "spec/calibration.h"
#include "spec/machine.h"
#include "spec/workload.h"

#include <string>
#include <vector>

namespace ridgeline {

/// One part, exchange or copy of a kernel with its time and what the time rests on.
struct KernelPartTime {
    std::string_view name{};
    Seconds time{};  ///< of all its runs; an exchange beside arithmetic: what it adds
    Bound bound = Bound::memory;
    Tier tier = Tier::assumed;
    Flops flops{};                  ///< of all its runs on one device
    Bytes traffic{};                ///< likewise
    FlopsPerSecond peak{};          ///< of the units that it runs on; 0: does not compute
    double compute_fraction = 0;    ///< of that peak that its class reaches
    double bandwidth_fraction = 0;  ///< of the memory bandwidth
    Seconds overhead{};             ///< of its launches
    std::string formula{};
    std::string source{};  ///< of the fractions
};

/// Time of a single kernel workload (task `kernel`).
struct KernelEstimate {
    Seconds time{};            ///< of one run, copies included where they were asked for
    BytesPerSecond bandwidth;  ///< bytes moved / time; collectives: bus bandwidth
    double low = 1;            ///< factors on the time
    double high = 1;
    int evidence_rows = 0;  ///< 0: the width is assumed
    Tier tier = Tier::assumed;
    std::string kind;  ///< of the prediction (estimate/uncertainty.h), which decides the range
    ComputeType type = ComputeType::bf16;
    KernelWork work;
    std::vector<KernelPartTime> parts;
    Bound bound = Bound::memory;  ///< of the part that takes longest
    double rate = 0;              ///< in work.unit
    Seconds copies;               ///< of `time`: host to device and back
    bool peak_assumed = false;    ///< the catalog lacks the rate of the number type
    bool fits = true;             ///< arrays and work areas against the memory of one device
    Bytes capacity;               ///< of that memory
};

/// The estimate of a kernel on a cluster, all devices of which share it.
///
/// bare  a library's product alone: low-precision operands are given, not quantised by the
/// operation
/// errors  as kernel_work, and a number type for which the part has no units
Result<KernelEstimate> estimate_kernel(const Kernel& kernel, ComputeType compute,
                                       const Cluster& cluster, const DeviceModel& device,
                                       const Calibration& calibration, bool bare = false);

}  // namespace ridgeline
