#include "advise/search.h"

namespace ridgeline {

Rejection rejection(
    const Candidate& candidate, int count, std::string reason, std::string message, double excess) {
    Rejection result;
    result.excess = excess;
    result.accelerator = candidate.accelerator->id;
    result.count = count;
    result.reason = std::move(reason);
    result.message = std::move(message);
    return result;
}

const DeviceModel& Models::device(const Accelerator& accelerator) {
    const auto at = devices_.find(&accelerator);
    return at != devices_.end()
               ? at->second
               : devices_.emplace(&accelerator, device_model(accelerator, calibration_))
                     .first->second;
}

const LinkModel& Models::links(const Cluster& cluster) {
    const auto key = std::pair(cluster.accelerator, cluster.count);
    const auto at = links_.find(key);
    return at != links_.end()
               ? at->second
               : links_.emplace(key, link_model(cluster, calibration_)).first->second;
}

}  // namespace ridgeline
