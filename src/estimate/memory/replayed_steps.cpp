#include "estimate/memory/replayed_steps.h"

#include <algorithm>
#include <utility>

namespace ridgeline {

std::optional<PoolBytes> KeptReplays::find(const Architecture& architecture,
                                           const Workload& workload, const ReplayedOn& on) const {
    const ReadGuard lock(mutex_);
    for (const Step& step : steps_) {
        if (step.on == on && step.workload.batch == workload.batch &&
            step.architecture.id == architecture.id && step.workload == workload &&
            step.architecture == architecture) {
            return step.pools;
        }
    }
    return std::nullopt;
}

void KeptReplays::keep(const Architecture& architecture, const Workload& workload,
                       const ReplayedOn& on, const PoolBytes& pools) const {
    Step step{architecture, workload, on, pools};
    const std::lock_guard lock(mutex_);
    if (steps_.size() < most) {
        steps_.push_back(std::move(step));
    } else {
        steps_[oldest_] = std::move(step);
        oldest_ = (oldest_ + 1) % most;
    }
}

bool ReplayedSteps::keeps(const ReplayedOn& on) const {
    return kept_ != nullptr &&
           std::any_of(software_->begin(), software_->end(),
                       [&on](const SoftwareProfile& known) { return &known == on.software; });
}

PoolBytes ReplayedSteps::pools_of(const Workload& workload, const ReplayedOn& on,
                                  const std::function<PoolBytes()>& replay) const {
    if (!keeps(on)) {
        return replay();
    }
    if (const auto known = kept_->find(*architecture_, workload, on)) {
        return *known;
    }
    const PoolBytes pools = replay();
    kept_->keep(*architecture_, workload, on, pools);
    return pools;
}

ReplayedSteps::Step& ReplayedSteps::step_of(const Workload& workload, const ReplayedOn& on) {
    const auto known = std::find_if(steps_.begin(), steps_.end(), [&](const Step& step) {
        return step.on == on && step.workload.batch == workload.batch &&
               step.workload.plan == workload.plan && step.workload == workload;
    });
    return known != steps_.end() ? *known : steps_.emplace_back(Step{workload, on, {}, {}});
}

PoolBytes pools_of(const Reserved& reserved) {
    PoolBytes pools{};
    for (std::size_t i = 0; i < memory_pools; ++i) {
        pools[i] = reserved.by_stream[i].base();
    }
    return pools;
}

PoolBytes ReplayedSteps::played(std::uint64_t key, const std::function<Reserved()>& play) {
    const auto [at, is_new] = played_.try_emplace(key);
    if (is_new) {
        at->second = ridgeline::pools_of(play());
    }
    return at->second;
}

std::shared_ptr<const Program> ReplayedSteps::program(const Workload& workload,
                                                      const SoftwareProfile& software,
                                                      const std::function<Program()>& list) {
    const auto known = std::find_if(programs_.begin(), programs_.end(), [&](const Listed& listed) {
        return listed.software == &software && listed.workload.batch == workload.batch &&
               listed.workload == workload;
    });
    if (known != programs_.end()) {
        return known->program;
    }
    if (programs_.size() == most_programs) {
        programs_.pop_front();
    }
    return programs_.emplace_back(Listed{workload, &software, std::make_shared<Program>(list())})
        .program;
}

const PoolBytes& ReplayedSteps::pools(const Workload& workload, const ReplayedOn& on,
                                      const std::function<PoolBytes()>& replay) {
    Step& step = step_of(workload, on);
    if (!step.pools) {
        step.pools = pools_of(workload, on, replay);
    }
    return *step.pools;
}

const ProgramTensors& ReplayedSteps::tensors(const Workload& workload, const ReplayedOn& on,
                                             const std::function<ProgramTensors()>& list) {
    Step& step = step_of(workload, on);
    if (!step.tensors) {
        step.tensors = list();
    }
    return *step.tensors;
}

}  // namespace ridgeline
