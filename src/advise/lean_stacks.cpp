#include "advise/lean_stacks.h"

#include "advise/plans.h"

namespace ridgeline {

std::vector<const SoftwareProfile*> lean_stacks(const Profiles& profiles,
                                                const WorkloadDocument& document) {
    std::vector<const SoftwareProfile*> lean;
    if (document.framework || document.task != Task::train ||
        document.method.value_or(Method::lora) == Method::full) {
        return lean;
    }
    const auto usual = usual_software(profiles, document, {}, Accelerator{}, 1);
    for (const SoftwareProfile& profile : profiles.software) {
        const bool over_usual = !usual.empty() && profile.inherits == usual.front()->id;
        if (over_usual && profile.kernels.loss.kernel == LossMode::fused_linear) {
            lean.push_back(&profile);
        }
    }
    return lean;
}

}  // namespace ridgeline
