// A training step of a network as PyTorch's allocator sees it. Order of requests: an operator's
// cast weight, what it writes, what it keeps beside; backwards the gradients of what it read, then
// that of its weight, cast to the stored type when the rest is gone
// (torch/csrc/autograd/engine.cpp, evaluate_function; autocast_mode.cpp).
#include "estimate/stacks/network_steps.h"

#include <utility>
#include <vector>

namespace ridgeline {

/// A product without a bias takes the workspace of its thread's handle for good; one with a bias
/// goes through cuBLASLt and takes one for as long as it runs.
void NetworkSteps::product(const Operator& op, bool forward) {
    const bool gemm = op.operator_class == OperatorClass::gemm && op.gemm.n > 0;
    const bool scores = op.role == Role::attention && op.forward_kernels > 1;
    if (!gemm && !scores) {
        return;
    }
    if (forward && gemm && op.parameters > op.gemm.n * op.gemm.k) {
        constexpr double once = 1024.0 * 1024;  // torch CUDABlas.cpp, _parseChosenWorkspaceSize
        writer_.give(take(once, Category::workspace));
        return;
    }
    if (bool& has = has_workspace_[forward ? 0 : 1]; !has) {
        has = true;
        take(workspace_, Category::workspace);
    }
}

void NetworkSteps::transform(const Operator& op, bool back) {
    if (tiles_) {
        writer_.give(take(winograd_workspace(op, back, input_.workload.batch.micro).base()));
    }
}

void NetworkSteps::read(const Network& network, WaitingTensors& waiting, NetworkFlow::Round round,
                        std::size_t at, bool keeps) {
    const NetworkFlow& flow = network.flow;
    const NetworkFlow::Step& step = flow.steps[at];
    for (int i = 0; i < step.inputs; ++i) {
        const int map = flow.inputs[static_cast<std::size_t>(step.first_input + i)];
        const NetworkFlow::Map& one = flow.maps[static_cast<std::size_t>(map)];
        // What enters a round is there when the round is computed again.
        const bool enters = recomputes_ && round.checkpointed && trains(network) &&
                            one.maker < static_cast<int>(round.first);
        if (one.last_reader == static_cast<int>(at) && !(keeps && one.kept) && !enters &&
            map != step.output) {
            give(waiting.maps[static_cast<std::size_t>(map)]);
        }
    }
}

void NetworkSteps::forward(Network& network, WaitingTensors& waiting, NetworkFlow::Round round,
                           Phase phase, bool keeps) {
    const NetworkFlow& flow = network.flow;
    for (std::size_t at = round.first; at < round.end; ++at) {
        const NetworkFlow::Step& step = flow.steps[at];
        for (int i = 0; i < step.inputs; ++i) {
            // What no operator has made comes with the batch.
            const auto map = static_cast<std::size_t>(
                flow.inputs[static_cast<std::size_t>(step.first_input + i)]);
            if (waiting.maps[map] == nothing) {
                waiting.maps[map] = take(flow.maps[map].bytes, Category::input);
            }
        }
        if (casts(*step.op) && waiting.copies[at] == nothing) {
            waiting.copies[at] =
                take(2 * step.op->parameters, keeps ? Category::kept : Category::transient);
        }
        TensorId streamed = take(streamed_bytes(network, *step.op), Category::weight);
        product(*step.op, true);
        for (int i = 0; keeps && i < step.kept; ++i) {
            const auto kept = static_cast<std::size_t>(step.first_kept + i);
            if (flow.kept[kept].map < 0) {
                waiting.beside[kept] = take(flow.kept[kept].bytes, Category::kept);
            }
        }
        if (step.output >= 0 && waiting.maps[static_cast<std::size_t>(step.output)] == nothing) {
            const auto map = static_cast<std::size_t>(step.output);
            const bool kept = keeps && flow.maps[map].kept;
            waiting.maps[map] =
                take(flow.maps[map].bytes, kept ? Category::kept : Category::transient);
        }
        transform(*step.op, false);
        writer_.give(take(keeps ? step.matching : step.passing));
        ran(*step.op, phase);
        give(streamed);
        read(network, waiting, round, at, keeps);
        if (!keeps) {
            give(waiting.copies[at]);
        }
    }
    // Keys and values have no reader in the flow but the backward pass: where none is to come they
    // go with their round. What the last round makes is the result.
    for (std::size_t at = round.first; !keeps && round.end < flow.steps.size() && at < round.end;
         ++at) {
        const int map = flow.steps[at].output;
        if (map >= 0 && flow.maps[static_cast<std::size_t>(map)].last_reader < 0) {
            give(waiting.maps[static_cast<std::size_t>(map)]);
        }
    }
}

/// DistributedDataParallel exchanges a bucket when its last gradient is there. No bytes: what is
/// left.
void NetworkSteps::reduce(double bytes) {
    const int ranks = input_.workload.plan.data;
    unreduced_ += bytes;
    const bool last = bytes <= 0;
    if (ranks > 1 && unreduced_ > 0 && (last || unreduced_ >= ddp_bucket_bytes)) {
        writer_.wait(Stream::reduce, Stream::compute);
        writer_.collective(Collective::all_reduce, Bytes::of_base(unreduced_), ranks,
                           Stream::reduce);
        unreduced_ = 0;
    }
}

void NetworkSteps::step_back(Network& network, WaitingTensors& waiting, MapGradients& gradients,
                             std::size_t at, bool weights) {
    const NetworkFlow& flow = network.flow;
    const NetworkFlow::Step& step = flow.steps[at];
    const Operator& op = *step.op;
    const bool cast = casts(op);
    const double made = weights && learns(network, op) ? large_of(op) : 0;
    const bool flows =
        step.output >= 0 && flow.maps[static_cast<std::size_t>(step.output)].needs_gradient;
    int incoming = -1;
    if (flows) {
        product(op, false);
        incoming = gradients.taken(step.output);
        for (int i = 0; i < step.inputs; ++i) {
            gradients.offer(flow.inputs[static_cast<std::size_t>(step.first_input + i)],
                            step.passes ? incoming : MapGradients::none);
        }
    }
    TensorId streamed = take(flows ? streamed_bytes(network, op) : 0, Category::weight);
    if (made > 0) {
        transform(op, true);
    }
    TensorId gradient = take(made * (cast ? 2 : stored(op)), Category::gradient);
    if (flows || gradient != nothing) {
        ran(op, Phase::backward);
    }
    give(streamed);
    if (incoming >= 0) {
        gradients.drop(incoming);
    }
    for (int i = 0; i < step.kept; ++i) {
        const auto kept = static_cast<std::size_t>(step.first_kept + i);
        if (flow.kept[kept].map >= 0) {
            give(waiting.maps[static_cast<std::size_t>(flow.kept[kept].map)]);
        } else {
            give(waiting.beside[kept]);
        }
    }
    give(waiting.copies[at]);
    gradients.sum();
    if (gradient != nothing) {
        const double each = gradient_share_ * gradient_bytes(op);
        if (cast || each != stored(op)) {
            const TensorId narrow = std::exchange(gradient, take(made * each, Category::gradient));
            writer_.give(narrow);
        }
        reduce(made * gradient_bytes(op));
        if (input_.workload.optimizer_in_backward) {
            // Its weight is stepped at once and it is gone (register_post_accumulate_grad_hook).
            make_states(state_share_ * made);
            step_alone(op, state_share_ * made);
            writer_.give(gradient);
        } else {
            network.gradients.push_back(gradient);
        }
    }
}

/// Later rounds have read what this one left: it is gone, and made again with all that is kept.
void NetworkSteps::again(Network& network, WaitingTensors& waiting, NetworkFlow::Round round) {
    for (std::size_t at = round.first; at < round.end; ++at) {
        const int map = network.flow.steps[at].output;
        if (map >= 0) {
            give(waiting.maps[static_cast<std::size_t>(map)]);
        }
    }
    forward(network, waiting, round, Phase::again, true);
}

void NetworkSteps::backward(Network& network, bool weights) {
    if (network.waiting.empty()) {
        return;
    }
    WaitingTensors waiting = std::move(network.waiting.back());
    network.waiting.pop_back();
    MapGradients gradients(writer_, network.flow);
    // A step before left gradients to add to: what this one makes is gone when it is added.
    const std::size_t before = network.gradients.size();
    for (std::size_t round = network.flow.rounds.size(); round-- > 0;) {
        const NetworkFlow::Round& one = network.flow.rounds[round];
        if (recomputes_ && one.checkpointed) {
            again(network, waiting, one);
        }
        for (std::size_t at = one.end; at-- > one.first;) {
            step_back(network, waiting, gradients, at, weights);
            while (before > 0 && network.gradients.size() > before) {
                writer_.give(network.gradients.back());
                network.gradients.pop_back();
            }
        }
    }
    gradients.clear();
    clear(waiting);
}

void NetworkSteps::clear(WaitingTensors& waiting) {
    for (std::vector<TensorId>* list : {&waiting.maps, &waiting.beside, &waiting.copies}) {
        for (TensorId& tensor : *list) {
            give(tensor);
        }
    }
}

}  // namespace ridgeline
