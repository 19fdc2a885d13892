#pragma once

#include "estimate/families/kernel/kernel_work.h"
#include "estimate/time/device.h"
#include "estimate/time/kernel.h"

namespace ridgeline {

/// Times the parts of a kernel on one device. Refers to what it is made from.
class PartTimer {
public:
    PartTimer(const Kernel& kernel, ComputeType type, const Accelerator& part,
              const DeviceModel& device, const Calibration& calibration)
        : kernel_(kernel), type_(type), part_(part), device_(device), calibration_(calibration) {}

    /// All runs of a part of which one device holds `resident`. errors  no units for the number
    /// type
    Result<KernelPartTime> time(const KernelPart& work, Bytes resident);

    /// Whether a rate stood in that the catalog lacks.
    [[nodiscard]] bool peak_assumed() const { return peak_assumed_; }

private:
    Result<KernelPartTime> product(const KernelPart& work, KernelPartTime timed);
    Result<KernelPartTime> pass(const KernelPart& work, Bytes resident, KernelPartTime timed);
    Result<FlopsPerSecond> rate_of(const KernelPart& work);
    [[nodiscard]] double gap(const Efficiency& efficiency) const;
    [[nodiscard]] Bytes cache() const;

    const Kernel& kernel_;
    ComputeType type_;
    const Accelerator& part_;
    const DeviceModel& device_;
    const Calibration& calibration_;
    bool peak_assumed_ = false;
};

}  // namespace ridgeline
