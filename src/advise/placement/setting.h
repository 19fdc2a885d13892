#pragma once

#include "advise/placement/placement.h"
#include "advise/search/search.h"

#include <memory>

namespace ridgeline {

/// The parts of an estimate that do not depend on the plan.
struct Setting {
    const Architecture& architecture;
    const Cluster& cluster;
    const SoftwareProfile& software;
    const Calibration& calibration;
    std::shared_ptr<Models> models;
    const DeviceModel& device;
    const LinkModel& links;
    ReplayedSteps* replayed = nullptr;  ///< of a search that has found the plan

    [[nodiscard]] EstimateInput input(const Workload& workload) const {
        return {.architecture = architecture,
                .workload = workload,
                .cluster = cluster,
                .software = software,
                .device = device,
                .calibration = calibration,
                .links = &links,
                .replayed = replayed};
    }
};

/// models  of a search on that cluster; null: resolved anew
Setting setting_of(const Knowledge& knowledge, const Architecture& architecture,
                   const Cluster& cluster, const SoftwareProfile& software,
                   std::shared_ptr<Models> models = nullptr);

/// The stack that the document names, else the usual one for such work, as `advise` would take.
Result<const SoftwareProfile*> software_of(const Knowledge& knowledge,
                                           const WorkloadDocument& document,
                                           const Architecture& architecture,
                                           const Accelerator& part, int accelerators);

/// Whether the part runs what the document asks of it.
Result<void> check_chip(const WorkloadDocument& document, const SoftwareProfile& software,
                        const Cluster& cluster);

/// Everything that an answer shows about a workload that was estimated in a setting.
Placement answer_of(const Knowledge& knowledge, const Setting& setting,
                    const ResolvedWorkload& resolved, Estimate estimated);

}  // namespace ridgeline
