// A training step of a network as PyTorch's allocator sees it: what is there all the time, the
// passes of the program, the optimizer's step.
#include "estimate/stacks/network_script.h"

#include "estimate/stacks/ddp.h"
#include "estimate/stacks/network_steps.h"
#include "estimate/work/quantization.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ridgeline {

/// Where segments of blocks are computed again, with others between them.
void NetworkSteps::thin_checkpoints(NetworkFlow& flow) const {
    const double share = input_.workload.plan.recompute_share;
    double due = 0;
    for (NetworkFlow::Round& round : flow.rounds) {
        due += round.checkpointed ? share : 0;
        round.checkpointed = round.checkpointed && due >= 1 - 1e-9;
        due -= round.checkpointed ? 1 : 0;
    }
}

double stored_weight_bytes(const Workload& workload) {
    const QuantFormat* format = quant_format(workload.quantization.name);
    if (format == nullptr) {
        return bytes_per_element(workload.weights);
    }
    return (format->bits + (format->block > 0 ? format->scale_bits / format->block : 0)) / 8;
}

double NetworkSteps::base_bytes() const { return stored_weight_bytes(input_.workload); }

namespace {

/// Bytes that an optimizer of tables remembers of each number of a row, which it reads and writes
/// with the row (families/recommender, update_rows). AdamW, which would touch every row, stands for
/// plain descent there.
double remembered_of_rows(std::string_view optimizer) {
    constexpr double moment = 4;
    return optimizer == "adam" ? 2 * moment : optimizer == "adagrad" ? moment : 0;
}

}  // namespace

void NetworkSteps::load(Network& network) {
    const Workload& workload = input_.workload;
    const bool on_host = workload.plan.offload_optimizer != OffloadTarget::none;
    const double states = state_bytes_ + (workload.master_weights ? 4 : 0);
    const double base = base_bytes();
    std::vector<double> gradients;
    double together = network.model->buffers * 4;
    for (const NetworkFlow::Step& step : network.flow.steps) {
        const Operator& op = *step.op;
        const double share =
            is_table(network, op) ? 1.0 / std::max(1, workload.plan.data) : weight_share_;
        const double bytes = share * (op.role == Role::adapter ? stored(op) : base);
        const bool stays = streamed_bytes(network, op) == 0;
        network.weights.push_back(take(stays ? large_of(op) * bytes : 0, Category::weight));
        const bool table = is_table(network, op) && trains(network) && !on_host;
        network.weights.push_back(
            take(table ? share * large_of(op) * remembered_of_rows(workload.optimizer) : 0,
                 Category::state));
        const bool learnt = trains(network) && learns(network, op);
        const double beside = learnt ? 2 * gradient_share_ * gradient_bytes(op) +
                                           (on_host ? 0 : state_share_ * states)
                                     : 0;
        together += small_of(op) * (bytes + beside);
        gradients.push_back(learnt ? op.parameters * gradient_bytes(op) : 0);
    }
    constexpr double small_block = 1024.0 * 1024;  // largest of the allocator's small blocks
    for (; together > 0; together -= small_block) {
        network.weights.push_back(take(std::min(together, small_block), Category::weight));
    }
    if (!trains(network)) {
        return;
    }
    take(halves_ ? 4 * network.model->inputs : 0, Category::input);
    if (workload.plan.data > 1 && gradient_share_ == 1) {
        std::reverse(gradients.begin(), gradients.end());
        for (const double bytes : gradient_buckets(gradients)) {
            take(bytes, Category::reduced);
        }
    }
}

void NetworkSteps::make_states(double trained) {
    const Workload& workload = input_.workload;
    const bool on_host = workload.plan.offload_optimizer != OffloadTarget::none;
    const int moments = workload.optimizer == "sgd" || state_bytes_ < 1 ? 1 : 2;
    for (int each = 0; first_ && !on_host && each < moments; ++each) {
        take(trained * state_bytes_ / moments, Category::state);
    }
    take(first_ && !on_host && workload.master_weights ? 4 * trained : 0, Category::weight);
}

/// Adafactor holds the update of a weight and what it is made from, and fp32 copies of a 16-bit
/// gradient and weight (Transformers optimization.py); others one temporary at most.
void NetworkSteps::step_alone(const Operator& op, double trained) {
    const int temporaries = input_.workload.optimizer != "adafactor" ? 1 : stored(op) < 4 ? 4 : 2;
    std::vector<TensorId> held;
    for (int each = 0; each < temporaries; ++each) {
        held.push_back(take(4 * trained));
    }
    for (TensorId& tensor : held) {
        give(tensor);
    }
}

/// The foreach implementation makes one temporary of all parameters; gradients stay until the next
/// step begins.
void NetworkSteps::update(Network& network) {
    const Workload& workload = input_.workload;
    if (workload.optimizer_in_backward) {
        return;
    }
    const bool alone = workload.optimizer == "adafactor";
    const bool lists = workload.optimizer_implementation == OptimizerImplementation::foreach &&
                       !plain_sgd(workload, input_.software) && !alone;
    std::vector<TensorId> roots;
    const auto trained = [&](const NetworkFlow::Step& step) {
        return learns(network, *step.op) ? state_share_ * large_of(*step.op) : 0;
    };
    for (const NetworkFlow::Step& step : network.flow.steps) {
        make_states(trained(step));
    }
    for (const NetworkFlow::Step& step : network.flow.steps) {
        roots.push_back(take(lists ? trained(step) * gradient_bytes(*step.op) : 0));
        if (alone) {
            step_alone(*step.op, trained(step));
        }
    }
    for (std::vector<TensorId>* list : {&roots, &network.gradients}) {
        for (TensorId& tensor : *list) {
            give(tensor);
        }
    }
    network.gradients.clear();
}

void NetworkSteps::run(Network& network, const ProgramPass& pass) {
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
        update(network);
        return;
    }
    if (waits_on_host()) {
        load(network);
    }
    const NetworkFlow& flow = network.flow;
    WaitingTensors waiting{std::vector<TensorId>(flow.maps.size(), nothing),
                           std::vector<TensorId>(flow.kept.size(), nothing),
                           std::vector<TensorId>(flow.steps.size(), nothing)};
    for (const NetworkFlow::Round& round : flow.rounds) {
        forward(network, waiting, round, Phase::forward,
                pass.keeps && !(recomputes_ && round.checkpointed));
    }
    if (pass.keeps) {
        network.waiting.push_back(std::move(waiting));
    } else {
        clear(waiting);
    }
    for (std::size_t i = 0; waits_on_host() && i < network.weights.size(); ++i) {
        give(network.weights[i]);
    }
}

Script network_script(const EstimateInput& input, const Program& program, double workspace,
                      bool runs) {
    return NetworkSteps(input, program, workspace, runs).write();
}

bool exchanges_whole(const EstimateInput& input, const Program& program) {
    const Plan& plan = input.workload.plan;
    const bool tables = std::any_of(program.models.begin(), program.models.end(),
                                    [](const SubModel& model) { return model.sparse > 0; });
    return (!shards_states(plan.sharding) || plan.data == 1) && !tables;
}

}  // namespace ridgeline
