#include "estimate/operator_profile.h"

#include "base/lists.h"
#include "base/order.h"
#include "estimate/serving/serving_pass.h"
#include "estimate/stacks/pipeline.h"
#include "estimate/time/block_time.h"
#include "estimate/time/collective.h"
#include "estimate/time/roofline.h"

#include <algorithm>

namespace ridgeline {
namespace {

std::size_t slot_of(Bound bound) { return static_cast<std::size_t>(bound); }

void add_log(OperatorProfile& profile, const OperatorLog& log, double repeat) {
    for (TimedOperator op : log) {
        op.repeat *= repeat;
        if (op.repeat > 0 && op.seconds > 0) {
            profile.operators.push_back(op);
        }
    }
}

void log_block(OperatorProfile& profile, const EstimateInput& input, const Block& block,
               RecomputeMode recompute, double repeat) {
    OperatorLog log;
    time_block(block, input, recompute, &log);
    add_log(profile, log, repeat);
}

void train(OperatorProfile& profile, const EstimateInput& input) {
    const Workload& workload = input.workload;
    const Plan& plan = workload.plan;
    const auto tokens = static_cast<double>(workload.batch.sequence_length);
    const Pass pass{.samples = workload.batch.micro * workload.sequences(),
                    .tokens = tokens,
                    .context = tokens,
                    .training = true};
    const double layers = std::max(1, input.architecture.text().layers);
    const double passes = micro_batches(workload) / plan.pipeline;
    for (const Block& block : list_operators(input.architecture, workload, input.software, pass)) {
        const double repeat = block.repeat * passes;
        if (block.position != Block::Position::layer) {
            log_block(profile, input, block, RecomputeMode::none, repeat);
        } else if (plan.full_recompute_layers >= 0) {
            const double share = std::min(1.0, plan.full_recompute_layers * plan.pipeline / layers);
            log_block(profile, input, block, RecomputeMode::none, repeat * (1 - share));
            log_block(profile, input, block, RecomputeMode::full, repeat * share);
        } else {
            log_block(profile, input, block, plan.recompute, repeat);
        }
    }
}

/// What surrounds the kernels of a step: collectives, bubble, optimizer, host.
void add_rest_of_step(OperatorProfile& profile, const TimeEstimate& time) {
    static constexpr std::string_view kernels[] = {"forward", "backward", "recompute",
                                                   "quantize operands", "dequantize weights"};
    for (const TimeComponent& component : time.components) {
        if (!is_among(component.name, kernels)) {
            profile.bound_share[slot_of(component.bound)] += component.time.base();
        }
    }
}

void serve(OperatorProfile& profile, const EstimateInput& input, const LinkModel& links) {
    const Serving serving = input.workload.serving.value_or(Serving{});
    const double running =
        std::max(1.0, serving.concurrency / std::max(1, input.workload.plan.data));
    const auto add = [&](const Pass& pass, double repeat) {
        OperatorLog log;
        const ServedPass served = serve_pass(input, links, pass, &log);
        add_log(profile, log, repeat);
        profile.bound_share[slot_of(Bound::overhead)] += repeat * served.gaps;
        profile.bound_share[slot_of(Bound::communication)] += repeat * served.communication;
    };
    if (serving.phase != ServingPhase::decode && serving.input_tokens > 0) {
        add({.samples = 1,
             .tokens = std::max(2.0, serving.input_tokens),
             .context = std::max(2.0, serving.input_tokens),
             .training = false},
            running);
    }
    if (serving.phase != ServingPhase::prefill && serving.output_tokens > 0) {
        add({.samples = running,
             .tokens = 1,
             .context = std::max(1.0, serving.input_tokens + serving.output_tokens / 2),
             .training = false},
            serving.output_tokens);
    }
}

void add_roofs(OperatorProfile& profile, const DeviceModel& device) {
    for (const TimedOperator& op : profile.operators) {
        const bool product = op.flops > 0 && op.operator_class != OperatorClass::streaming;
        const auto known = std::ranges::find(profile.roofs, op.type, &Roof::type);
        const FlopsPerSecond peak = device.peak_of(op.type);
        if (product && known == profile.roofs.end() && peak.base() > 0) {
            profile.roofs.push_back({op.type, peak, device.accelerator->memory_bandwidth});
        }
    }
    stable_order(profile.roofs.begin(), profile.roofs.end(),
                 [](const Roof& a, const Roof& b) { return a.peak > b.peak; });
}

}  // namespace

OperatorProfile operator_profile(const EstimateInput& input, const TimeEstimate& time) {
    OperatorProfile profile;
    profile.step = time.step;
    if (input.architecture.stacks.empty() || input.workload.task == Task::kernel) {
        return profile;
    }
    if (input.workload.task == Task::train) {
        train(profile, input);
        add_rest_of_step(profile, time);
    } else if (input.links != nullptr) {
        serve(profile, input, *input.links);
    } else {
        serve(profile, input, link_model(input.cluster, input.calibration));
    }
    for (const TimedOperator& op : profile.operators) {
        profile.bound_share[slot_of(op.bound)] += op.seconds * op.repeat;
    }
    double total = 0;
    for (const double seconds : profile.bound_share) {
        total += seconds;
    }
    for (double& seconds : profile.bound_share) {
        seconds = total > 0 ? seconds / total : 0;
    }
    add_roofs(profile, input.device);
    return profile;
}

}  // namespace ridgeline
