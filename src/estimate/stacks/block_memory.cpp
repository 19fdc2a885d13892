// Liveness of the tensors of one block.
//
// Forward: a tensor lives from the operator that makes it to its last reader, or to the backward
// pass when an operator keeps it. Backward: operators run in reverse; each allocates the gradients
// of its inputs (a second gradient of the same tensor lives beside the first until it is added),
// needs its workspace, and afterwards frees the gradient of its output and every kept tensor that
// no earlier operator keeps. Views are free. The result is exact for the operator list; what the
// list leaves out (kernels that allocate more) is named with the operators.
#include "estimate/stacks/block_memory.h"

#include "base/lists.h"
#include "estimate/families/transformer/block_builder.h"
#include "estimate/stacks/compiled_layer.h"
#include "estimate/work/liveness.h"

#include <algorithm>

namespace ridgeline {

Liveness liveness(const Block& block) {
    Liveness live;
    live.last_reader.assign(block.tensors.size(), -1);
    live.first_keeper.assign(block.tensors.size(), -1);
    live.residual.assign(block.tensors.size(), 0);
    for (std::size_t i = 0; i < block.operators.size(); ++i) {
        const Operator& op = block.operators[i];
        for (const int tensor : op.inputs) {
            if (tensor != no_tensor) {
                live.last_reader[static_cast<std::size_t>(tensor)] = static_cast<int>(i);
            }
        }
        for (const int tensor : op.kept) {
            if (tensor != no_tensor && live.first_keeper[static_cast<std::size_t>(tensor)] < 0) {
                live.first_keeper[static_cast<std::size_t>(tensor)] = static_cast<int>(i);
            }
        }
        if (op.role == Role::residual) {
            // One gradient of the residual stream lives through the whole block: branches add to
            // it.
            live.residual[static_cast<std::size_t>(op.inputs[0])] = true;
            live.residual[static_cast<std::size_t>(op.outputs[0])] = true;
        }
    }
    return live;
}

double size_at(const Block& block, int tensor) {
    return block.tensors[static_cast<std::size_t>(tensor)].size.base();
}

namespace {

/// Sums of a forward pass: bytes alive and the most of them.
struct ForwardSums {
    const Block& block;
    double now = 0;
    double peak = 0;

    void take(int tensor) { now += size_at(block, tensor); }
    void give(int tensor) { now -= size_at(block, tensor); }
    void work(const Operator& /*op*/, double workspace) { peak = std::max(peak, now + workspace); }
};

/// Highest sum of live tensors over a forward pass; kept tensors stay when `keeps`.
double forward_peak(const Block& block, const Liveness& live, bool keeps) {
    ForwardSums sums{.block = block};
    sums.now = block.input == no_tensor ? 0 : size_at(block, block.input);
    sums.peak = sums.now;
    walk_forward(block, live, keeps, sums);
    return sums.peak;
}

double kept_bytes(const Block& block, const Liveness& live) {
    double sum = 0;
    for (std::size_t t = 0; t < block.tensors.size(); ++t) {
        if (live.first_keeper[t] >= 0) {
            sum += block.tensors[t].size.base();
        }
    }
    return sum;
}

/// Sums of a backward pass.
struct BackwardSums {
    const Block& block;
    double gradient_bytes = 0;  ///< of one weight
    double now = 0;
    double duplicate = 0;    ///< second gradients of the operator that runs
    double weights = 0;      ///< gradients of the weights made so far; at the end of all
    double activations = 0;  ///< most of kept tensors not yet freed, their gradients, workspaces
    double all = 0;          ///< and the gradients of the weights made so far

    void take(int tensor) { now += size_at(block, tensor); }
    void give(int tensor) { now -= size_at(block, tensor); }
    void take_gradient(int tensor) { take(tensor); }
    void give_gradient(int tensor) { give(tensor); }
    void becomes_gradient(int /*tensor*/) const {}
    void beside(int tensor) { duplicate += size_at(block, tensor); }
    void work(const Operator& op, double workspace) {
        weights += op.trains ? op.parameters * gradient_bytes : 0;
        const double sum = now + duplicate + workspace;
        activations = std::max(activations, sum);
        all = std::max(all, sum + weights);
        duplicate = 0;
    }
};

/// Highest sums over the backward pass. `gradient`: bytes of one weight's gradient.
BackwardSums backward_peak(const Block& block, const Liveness& live, double kept,
                           bool in_place_loss, double gradient_bytes) {
    BackwardSums sums{.block = block, .gradient_bytes = gradient_bytes};
    sums.now = kept;
    if (block.output != no_tensor && block.position != Block::Position::last) {
        sums.now += size_at(block, block.output);
    }
    sums.activations = sums.all = sums.now;
    walk_backward(block, live, in_place_loss, sums);
    return sums;
}

double quantized_inputs(const Block& block) {
    std::vector<char> seen(block.tensors.size(), 0);
    double sum = 0;
    for (const Operator& op : block.operators) {
        if (!op.quantized || op.inputs[0] == no_tensor) {
            continue;
        }
        char& counted = seen[static_cast<std::size_t>(op.inputs[0])];
        sum += counted ? 0 : size_at(block, op.inputs[0]);
        counted = true;
    }
    return sum;
}

/// Whether a tensor is read by nothing but additions to the residual stream, whose backward pass
/// needs neither term.
bool only_added(const Block& block, int tensor) {
    return std::all_of(block.operators.begin(), block.operators.end(), [&](const Operator& op) {
        const bool reads = is_among(tensor, op.inputs);
        return !reads || op.role == Role::residual;
    });
}

/// torchtitan's per-operator policy: attention output and statistics, and the outputs of products
/// 1, 3, 5, ... of the layer are saved; what elementwise operators need is computed again. The
/// router's product is always computed again and does not count
/// (per_op_sac_force_recompute_mm_shapes_by_fqns). A compiled graph drops what its backward part
/// does not read.
template <typename Visit>
void every_second_matmul(const Block& block, SavePolicy policy, Visit visit) {
    if (block.input != no_tensor) {
        visit(block.input);
    }
    // Reduce-scatters of sequence parallelism are in the policy's list.
    for (std::size_t t = 0; t < block.tensors.size(); ++t) {
        if (block.tensors[t].name == "moe.exchanged" || block.tensors[t].name == "reduced") {
            visit(static_cast<int>(t));
        }
    }
    int products = 0;
    for (const Operator& op : block.operators) {
        // Grouped products of experts are not in the policy's list: they are computed again.
        if (op.role == Role::linear || op.role == Role::head) {
            ++products;
            if (products % 2 == 1 && !(policy.compiled && only_added(block, op.outputs[0]))) {
                visit(op.outputs[0]);
            }
        } else if (op.role == Role::attention) {
            visit(op.outputs[0]);
            for (const int tensor : op.kept) {
                if (tensor != no_tensor &&
                    block.tensors[static_cast<std::size_t>(tensor)].name == "attention.logsumexp") {
                    visit(tensor);
                }
            }
        }
    }
}

double kept_every_second_matmul(const Block& block, SavePolicy policy) {
    double sum = 0;
    every_second_matmul(block, policy, [&](int tensor) { sum += size_at(block, tensor); });
    return sum;
}

/// What the core attention keeps for itself: scores, or the statistics of a flash kernel.
template <typename Visit>
void inside_core_attention(const Block& block, Visit visit) {
    for (const Operator& op : block.operators) {
        for (const int tensor : op.kept) {
            if (op.role == Role::attention && tensor != no_tensor &&
                block.tensors[static_cast<std::size_t>(tensor)].name.starts_with("attention.")) {
                visit(tensor);
            }
        }
    }
}

/// Megatron: the core attention is computed again, so its scores (eager) or statistics are not
/// kept.
double kept_without_core(const Block& block, const Liveness& live) {
    double sum = kept_bytes(block, live);
    inside_core_attention(block, [&](int tensor) { sum -= size_at(block, tensor); });
    return sum;
}

/// Megatron-Core's dispatcher is a module that remembers how it routed, whatever is recomputed.
double held_routing(const Block& block, const SoftwareProfile& software) {
    double held = 0;
    for (const Tensor& tensor : block.tensors) {
        const bool routing = software.runtime.routing_weights() == RoutingWeights::in_activation;
        held += routing && tensor.name == "moe.indices" ? tensor.size.base() : 0;
    }
    return held;
}

}  // namespace

std::vector<int> kept_tensors(const Block& block, RecomputeMode mode,
                              const SoftwareProfile& software, SavePolicy policy) {
    std::vector<int> kept;
    const bool layer = block.position == Block::Position::layer;
    if (layer && mode == RecomputeMode::full) {
        kept.push_back(block.input);
        return kept;
    }
    const bool selective = layer && mode == RecomputeMode::selective;
    if (selective && software.runtime.selective() == SelectiveRecompute::every_second_matmul) {
        every_second_matmul(block, policy, [&](int tensor) { kept.push_back(tensor); });
        return kept;
    }
    std::vector<char> keeps(block.tensors.size(), 0);
    for (const Operator& op : block.operators) {
        for (const int tensor : op.kept) {
            if (tensor != no_tensor) {
                keeps[static_cast<std::size_t>(tensor)] = 1;
            }
        }
    }
    kept.reserve(keeps.size());
    for (std::size_t t = 0; t < keeps.size(); ++t) {
        if (keeps[t] != 0) {
            kept.push_back(static_cast<int>(t));
        }
    }
    if (selective) {
        inside_core_attention(block, [&](int tensor) { std::erase(kept, tensor); });
    }
    return kept;
}

Bytes passing_peak(const Block& block) {
    return Bytes::of_base(forward_peak(block, liveness(block), false));
}

BlockMemory memory_of(const Block& block, const Workload& workload,
                      const SoftwareProfile& software) {
    const Liveness live = liveness(block);
    BlockMemory memory;
    const double kept = kept_bytes(block, live);
    memory.kept = Bytes::of_base(kept);
    memory.kept_full =
        block.input == no_tensor
            ? Bytes{}
            : Bytes::of_base(size_at(block, block.input) + held_routing(block, software));
    const bool apart =
        block.input != no_tensor && live.first_keeper[static_cast<std::size_t>(block.input)] < 0;
    memory.recomputed = Bytes::of_base(kept + (apart ? size_at(block, block.input) : 0));
    memory.kept_selective =
        Bytes::of_base(software.runtime.selective() == SelectiveRecompute::every_second_matmul
                           ? std::min(kept, kept_every_second_matmul(block, {workload.compiled}))
                           : kept_without_core(block, live));
    memory.quantized_inputs = Bytes::of_base(quantized_inputs(block));
    if (keeps_inputs(workload) && !software.runtime.options.reentrant_checkpoints) {
        // bitsandbytes holds them as attributes of the graph's nodes, which checkpointing does not
        // see. A reentrant checkpoint makes no graph in the pass forward.
        memory.kept_full = memory.kept_full + memory.quantized_inputs;
    }
    const bool in_place = software.kernels.loss.in_place && workload.loss != LossMode::eager;
    memory.forward_extra = Bytes::of_base(std::max(0.0, forward_peak(block, live, true) - kept));
    const BackwardSums back =
        backward_peak(block, live, kept, in_place, bytes_per_element(workload.gradients));
    memory.backward_extra = Bytes::of_base(std::max(0.0, back.activations - kept));
    memory.backward_extra_last = Bytes::of_base(back.all - kept - back.weights);
    memory.compiled_again = Bytes::of_base(compiled_float8_layer(block, workload, software));
    memory.inference_peak = passing_peak(block);
    return memory;
}

}  // namespace ridgeline
