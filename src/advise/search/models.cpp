#include "advise/search/kept_parts.h"
#include "advise/search/search.h"

#include <algorithm>
#include <utility>

namespace ridgeline {

Rejection rejection(const Candidate& candidate, int count, std::string reason, std::string message,
                    double excess) {
    Rejection result;
    result.excess = excess;
    result.accelerator = candidate.accelerator->id;
    result.count = count;
    result.reason = std::move(reason);
    result.message = std::move(message);
    return result;
}

const DeviceModel& KeptParts::device(const Accelerator& part,
                                     const Calibration& calibration) const {
    {
        const ReadGuard lock(mutex_);
        if (const auto at = devices_.find(&part); at != devices_.end()) {
            return *at->second;
        }
    }
    auto model = std::make_unique<const DeviceModel>(device_model(part, calibration));
    const std::lock_guard lock(mutex_);
    return *devices_.try_emplace(&part, std::move(model)).first->second;
}

namespace {

/// Whether it lives as long as the catalog.
bool is_listed(const Accelerator& part, const Catalog& catalog) {
    const auto among = [&part](const std::vector<Accelerator>& list) {
        return std::any_of(list.begin(), list.end(),
                           [&part](const Accelerator& each) { return &each == &part; });
    };
    return among(catalog.accelerators) || among(catalog.slices);
}

}  // namespace

const DeviceModel& Models::device(const Accelerator& accelerator) {
    if (const auto at = devices_.find(&accelerator); at != devices_.end()) {
        return at->second;
    }
    const Calibration& calibration = knowledge_.profiles.calibration;
    if (knowledge_.kept != nullptr && is_listed(accelerator, knowledge_.catalog)) {
        return knowledge_.kept->device(accelerator, calibration);
    }
    return devices_.emplace(&accelerator, device_model(accelerator, calibration)).first->second;
}

const LinkModel& Models::links(const Cluster& cluster) {
    const auto key = std::pair(cluster.accelerator, cluster.count);
    const auto at = links_.find(key);
    if (at != links_.end()) {
        return at->second;
    }
    // One alone has nobody to send to.
    return links_
        .emplace(key, cluster.count > 1 ? link_model(cluster, knowledge_.profiles.calibration)
                                        : LinkModel{})
        .first->second;
}

const SoftwareProfile& Models::in_brief(const SoftwareProfile& software) {
    const auto at = brief_.try_emplace(&software, software).first;
    at->second.allocator.replays = false;
    return at->second;
}

}  // namespace ridgeline
