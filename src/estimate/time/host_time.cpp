#include "estimate/time/host_time.h"

#include "estimate/time/block_time.h"
#include "estimate/time/device.h"
#include "spec/stand.h"

#include <algorithm>
#include <string>

namespace ridgeline {

double host_pace(const Accelerator& accelerator) {
    const std::string& architecture = accelerator.architecture;
    const bool old =
        architecture == "Pascal" || architecture == "Volta" || architecture == "Turing";
    constexpr double of_old = 1.3;  // fitted: the header
    return accelerator.host_launch_factor.value_or(old ? of_old : 1);
}

double core_pace(const Accelerator& accelerator) {
    constexpr int of_sapphire_rapids = 2022;
    constexpr double since = 0.83, desktop = 0.67, workstation = 0.83;  // the header
    const double server =
        host_pace(accelerator) * (accelerator.year >= of_sapphire_rapids ? since : 1);
    if (accelerator.host_launch_factor) {
        return *accelerator.host_launch_factor;
    }
    switch (stand_of(accelerator)) {
        case Stand::consumer:
            return server * desktop;
        case Stand::workstation:
            return server * workstation;
        default:
            return server;
    }
}

double serving_launch_time(const EstimateInput& input) {
    const Accelerator& part = *input.device.accelerator;
    const double pace = input.architecture.text().cross_attention ? host_pace(part)  // speech
                                                                  : core_pace(part);
    return eager_launch_time(input) / host_pace(part) * pace;
}

double eager_launch_time(const EstimateInput& input) {
    const Workload& workload = input.workload;
    const RuntimeOptions& host = input.software.runtime.options;
    // Modules of torch that run without gradients: EfficientNet and ResNeXt an image at a time,
    // Jasper and QuartzNet one utterance (fitted_on in tests/evidence/vision2.json and
    // recurrent.json).
    constexpr double unrecorded = 24e-6;
    const bool modules = host.autocast && input.software.runtime.kind == RuntimeKind::plain &&
                         host.launch_per_kernel > Seconds{};
    const double launch =
        modules && workload.task == Task::inference ? unrecorded : host.launch_per_kernel.base();
    return launch * host_pace(*input.device.accelerator);
}

double launch_time(const EstimateInput& input) {
    return input.workload.cuda_graphs ? 0 : eager_launch_time(input);
}

double host_excess(const EstimateInput& input, const PassCost& cost, double serial) {
    const double each = launch_time(input);
    // A compiled graph launches through a small wrapper; what it joined is gone already. Assumed.
    constexpr double wrapped = 0.5;
    const double launches =
        (cost.kernels * (input.workload.compiled ? wrapped : 1) + cost.uncompiled) * each;
    return std::max(0.0, launches - cost.device) + serial * result_wait;
}

double held_by_walk(const EstimateInput& input, const BlockTime& time, RecomputeMode recompute) {
    const RuntimeProfile& runtime = input.software.runtime;
    const auto& moe = input.architecture.text().moe;
    if (!moe || moe->every_expert || !runtime.walks_experts()) {
        return 0;
    }
    // The code of DeepSeek-V3 looks at each expert by its number.
    const double waits = moe->router_correction_bias ? 1 : runtime.waits_per_expert();
    const double passes = recompute == RecomputeMode::full ? 2 : 1;
    const double launch = runtime.options.launch_per_kernel.base();
    double held = passes * moe->experts * waits * result_wait;
    for (const PassTime* pass : {&time.forward, &time.recompute}) {
        held += std::max(0.0, pass->launches * launch - pass->device);
    }
    return held;
}

}  // namespace ridgeline
