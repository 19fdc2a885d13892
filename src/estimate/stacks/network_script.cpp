// A training step of a network as PyTorch's allocator sees it: what is there all the time, the passes of
// the program, the optimizer's step.
#include "estimate/stacks/network_script.h"

#include "estimate/stacks/ddp.h"
#include "estimate/stacks/network_steps.h"
#include "estimate/work/quantization.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ridgeline {

void NetworkSteps::load(const Network& network) {
    const QuantFormat* format = quant_format(input_.workload.quantization.name);
    const bool packed = format != nullptr && input_.workload.quantization.name != "none";
    std::vector<double> gradients;
    double together = network.model->buffers * 4;
    const double beside =
        2 * bytes_per_element(input_.workload.gradients) + state_bytes(input_.workload);
    for (const NetworkFlow::Step& step : network.flow.steps) {
        const Operator& op = *step.op;
        const double bytes = packed && op.role != Role::adapter ? format->bits / 8 : stored(op);
        take(large_of(op) * bytes, Category::weight);
        together += small_of(op) * (bytes + (trains(network) && op.trains ? beside : 0));
        gradients.push_back(
            op.trains ? op.parameters * bytes_per_element(input_.workload.gradients) : 0);
    }
    constexpr double small_block = 1024.0 * 1024;  // largest of the allocator's small blocks
    for (; together > 0; together -= small_block) {
        take(std::min(together, small_block), Category::weight);
    }
    if (!trains(network)) {
        return;
    }
    take(halves_ ? 4 * network.model->inputs : 0, Category::input);
    if (input_.workload.plan.data > 1) {
        std::reverse(gradients.begin(), gradients.end());
        for (const double bytes : gradient_buckets(gradients)) {
            take(bytes, Category::reduced);
        }
    }
}

/// The foreach implementation makes one temporary of all parameters; gradients stay until the next
/// step begins.
void NetworkSteps::update(Network& network, bool first) {
    const Workload& workload = input_.workload;
    const bool on_host = workload.plan.offload_optimizer != OffloadTarget::none;
    const double state = state_bytes(workload);
    const int moments = workload.optimizer == "sgd" || state < 1 ? 1 : 2;
    std::vector<TensorId> roots;
    for (const NetworkFlow::Step& step : network.flow.steps) {
        const double trained = step.op->trains ? large_of(*step.op) : 0;
        for (int each = 0; first && !on_host && each < moments; ++each) {
            take(trained * state / moments, Category::state);
        }
        take(first && !on_host && workload.master_weights ? 4 * trained : 0, Category::weight);
    }
    if (workload.optimizer_implementation == OptimizerImplementation::foreach) {
        for (const NetworkFlow::Step& step : network.flow.steps) {
            const double trained = step.op->trains ? large_of(*step.op) : 0;
            roots.push_back(take(trained * bytes_per_element(workload.gradients)));
        }
    }
    for (const TensorId tensor : roots) {
        writer_.give(tensor);
    }
    for (const TensorId tensor : network.gradients) {
        writer_.give(tensor);
    }
    network.gradients.clear();
}

void NetworkSteps::run(Network& network, const ProgramPass& pass, bool first) {
    const bool kind = pass.name == "forward" || pass.name == "backward" || pass.name == "update";
    if (!pass.name.empty() && !kind) {
        writer_.mark(writer_.name(pass.name));
    }
    if (pass.kind == ProgramPass::Kind::backward) {
        writer_.mark(writer_.name("backward"));
        backward(network, pass.weights);
        return;
    }
    if (pass.kind == ProgramPass::Kind::update) {
        if (input_.workload.plan.data > 1) {
            reduce(0);
            writer_.wait(Stream::compute, Stream::reduce);
        }
        writer_.mark(writer_.name("optimizer step"));
        update(network, first);
        return;
    }
    const NetworkFlow& flow = network.flow;
    WaitingTensors waiting{std::vector<TensorId>(flow.maps.size(), nothing),
                           std::vector<TensorId>(flow.kept.size(), nothing),
                           std::vector<TensorId>(flow.steps.size(), nothing)};
    for (const NetworkFlow::Round& round : flow.rounds) {
        forward(network, waiting, round, Phase::forward, pass.keeps && !(recomputes_ && round.checkpointed));
    }
    if (pass.keeps) {
        network.waiting.push_back(std::move(waiting));
    } else {
        clear(waiting);
    }
}

std::optional<Script> network_script(const EstimateInput& input,
                                     const Program& program,
                                     double workspace) {
    const Plan& plan = input.workload.plan;
    const bool shares = plan.sharding != Sharding::none && plan.sharding != Sharding::ddp;
    const bool part = plan.recompute == RecomputeMode::full && plan.recompute_share < 1;
    if ((shares && plan.data > 1) || part || plan.offload_parameters != OffloadTarget::none) {
        return std::nullopt;
    }
    for (const SubModel& model : program.models) {
        if (model.sparse > 0 || model.flow.empty()) {
            return std::nullopt;
        }
    }
    return NetworkSteps(input, program, workspace).write();
}

}  // namespace ridgeline
