#pragma once

#include "spec/architecture.h"
#include "spec/calibration.h"
#include "spec/machine.h"
#include "spec/software_profile.h"
#include "spec/workload.h"

namespace ridgeline {

struct DeviceModel;
struct LinkModel;
class ReplayedSteps;

/// What an estimate is made from. All references outlive the call; nothing is copied.
struct EstimateInput {
    const Architecture& architecture;
    const Workload& workload;
    const Cluster& cluster;
    const SoftwareProfile& software;
    const DeviceModel& device;
    const Calibration& calibration;
    const LinkModel* links = nullptr;  ///< of the cluster; null: resolved on each call (slower)
    ReplayedSteps* replayed =
        nullptr;  ///< of the architecture; null: replayed on each call (slower)

    /// The same of another workload, which outlives the call too.
    [[nodiscard]] EstimateInput with(const Workload& other) const {
        return {architecture, other, cluster, software, device, calibration, links, replayed};
    }
};

}  // namespace ridgeline
