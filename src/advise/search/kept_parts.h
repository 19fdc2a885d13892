#pragma once

#include "base/mutex.h"
#include "estimate/memory/replayed_steps.h"
#include "estimate/time/device.h"

#include <map>
#include <memory>

namespace ridgeline {

/// What estimates over one catalog and one calibration share: models of parts, and replayed steps.
/// Shared between threads. A copy begins empty: what is kept refers to one world.
class KeptParts {
public:
    KeptParts() = default;
    KeptParts(const KeptParts& /*other*/) {}
    KeptParts& operator=(const KeptParts& /*other*/) { return *this; }

    /// part  of the catalog. Valid as long as this object.
    [[nodiscard]] const DeviceModel& device(const Accelerator& part,
                                            const Calibration& calibration) const;
    [[nodiscard]] const KeptReplays& replays() const { return replays_; }

private:
    KeptReplays replays_;
    mutable SharedMutex mutex_;
    mutable std::map<const Accelerator*, std::unique_ptr<const DeviceModel>> devices_;
};

}  // namespace ridgeline
