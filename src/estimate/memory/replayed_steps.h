#pragma once

#include "estimate/results.h"
#include "spec/software_profile.h"
#include "spec/workload.h"

#include <functional>
#include <vector>

namespace ridgeline {

/// All that a step's script of one architecture depends on beside the workload.
struct ReplayedOn {
    const SoftwareProfile* software = nullptr;
    int stage = 0;
    double workspace = 0;  ///< of the BLAS library, bytes
    double library = 0;    ///< taken at the start, bytes
    bool expandable = false;
    bool hopper = false;  ///< Hopper or later: larger workspaces of Transformer Engine
    friend bool operator==(const ReplayedOn&, const ReplayedOn&) = default;
};

/// What the caching allocator holds after steps of one architecture on a card without end. A search
/// asks for the same step on a hundred parts. Not shared between threads.
class ReplayedSteps {
public:
    /// The pools of the step, replayed by `replay` when they are not known yet.
    const PoolBytes& pools(const Workload& workload,
                           const ReplayedOn& on,
                           const std::function<PoolBytes()>& replay);

private:
    struct Step {
        Workload workload;
        ReplayedOn on;
        PoolBytes pools{};
    };
    std::vector<Step> steps_;
};

}  // namespace ridgeline
