#include "estimate/memory/replayed_steps.h"

#include <algorithm>

namespace ridgeline {

const PoolBytes& ReplayedSteps::pools(const Workload& workload,
                                      const ReplayedOn& on,
                                      const std::function<PoolBytes()>& replay) {
    const auto known = std::find_if(steps_.begin(), steps_.end(), [&](const Step& step) {
        return step.on == on && step.workload.batch == workload.batch &&
               step.workload.plan == workload.plan && step.workload == workload;
    });
    if (known != steps_.end()) {
        return known->pools;
    }
    steps_.push_back({workload, on, replay()});
    return steps_.back().pools;
}

}  // namespace ridgeline
