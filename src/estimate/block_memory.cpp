// Liveness of the tensors of one block.
//
// Forward: a tensor lives from the operator that makes it to its last reader, or to the backward
// pass when an operator keeps it. Backward: operators run in reverse; each allocates the gradients
// of its inputs (a second gradient of the same tensor lives beside the first until it is added),
// needs its workspace, and afterwards frees the gradient of its output and every kept tensor that
// no earlier operator keeps. Views are free. The result is exact for the operator list; what the
// list leaves out (kernels that allocate more) is named with the operators.
#include "estimate/block_memory.h"

#include "estimate/block_builder.h"

#include <algorithm>
#include <array>

namespace ridgeline {
namespace {

constexpr std::size_t most_tensors = 160;
using Sizes = std::array<double, most_tensors>;
using Indices = std::array<int, most_tensors>;

struct Liveness {
    Indices last_reader;   ///< operator that reads the tensor last; -1 none
    Indices first_keeper;  ///< earliest operator that keeps it; -1 none
};

Liveness liveness(const Block& block) {
    Liveness live;
    live.last_reader.fill(-1);
    live.first_keeper.fill(-1);
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
    }
    return live;
}

double size_at(const Block& block, int tensor) {
    return block.tensors[static_cast<std::size_t>(tensor)].size.base();
}

/// Highest sum of live tensors over a forward pass; kept tensors stay when `keeps`.
double forward_peak(const Block& block, const Liveness& live, bool keeps) {
    double now = block.input == no_tensor ? 0 : size_at(block, block.input);
    double peak = now;
    for (std::size_t i = 0; i < block.operators.size(); ++i) {
        const Operator& op = block.operators[i];
        const auto at = static_cast<int>(i);
        for (const int tensor : op.outputs) {
            // An operator may write into a tensor that exists (an adapter adds to the projection).
            bool made = tensor != no_tensor;
            for (std::size_t j = 0; made && j < i; ++j) {
                made = block.operators[j].outputs[0] != tensor;
            }
            now += made ? size_at(block, tensor) : 0;
        }
        double internal = 0;
        for (const int tensor : op.kept) {
            if (keeps && tensor != no_tensor &&
                live.first_keeper[static_cast<std::size_t>(tensor)] == at &&
                live.last_reader[static_cast<std::size_t>(tensor)] < 0 && tensor != op.outputs[0]) {
                internal += size_at(block, tensor);
            }
        }
        now += internal;
        peak = std::max(peak, now + op.workspace_forward.base());
        for (const int tensor : op.inputs) {
            const bool leaves = tensor == block.output && block.position != Block::Position::last;
            if (tensor == no_tensor || leaves) {
                continue;
            }
            const auto t = static_cast<std::size_t>(tensor);
            const bool kept = keeps && live.first_keeper[t] >= 0;
            if (live.last_reader[t] == at && !kept) {
                now -= size_at(block, tensor);
            }
        }
    }
    return peak;
}

double kept_bytes(const Block& block, const Liveness& live) {
    double sum = 0;
    for (std::size_t t = 0; t < block.tensors.size() && t < most_tensors; ++t) {
        if (live.first_keeper[t] >= 0) {
            sum += block.tensors[t].size.base();
        }
    }
    return sum;
}

struct BackwardPeak {
    double activations = 0;  ///< kept tensors not yet freed, their gradients, workspaces
    double all = 0;          ///< and the gradients of the weights made so far
    double weights = 0;      ///< gradients of all weights
};

/// Highest sums over the backward pass. `gradient`: bytes of one weight's gradient.
BackwardPeak backward_peak(const Block& block,
                           const Liveness& live,
                           double kept,
                           bool in_place_loss,
                           double gradient_bytes) {
    Sizes gradient{};
    // One gradient of the residual stream lives through the whole block: branches add to it.
    std::array<bool, most_tensors> stream{};
    for (const Operator& op : block.operators) {
        if (op.role == Role::residual) {
            stream[static_cast<std::size_t>(op.inputs[0])] = true;
            stream[static_cast<std::size_t>(op.outputs[0])] = true;
        }
    }
    double now = kept;
    if (block.output != no_tensor && block.position != Block::Position::last) {
        gradient[static_cast<std::size_t>(block.output)] = size_at(block, block.output);
        now += size_at(block, block.output);
    }
    BackwardPeak peak{.activations = now, .all = now};
    for (std::size_t r = block.operators.size(); r-- > 0;) {
        const Operator& op = block.operators[r];
        peak.weights += op.trains ? op.parameters * gradient_bytes : 0;
        const bool passes_through = op.role == Role::residual || op.forward_traffic.base() == 0;
        double duplicate = 0;
        for (const int tensor : op.inputs) {
            if (tensor == no_tensor || (op.role == Role::embedding)) {
                continue;
            }
            const auto t = static_cast<std::size_t>(tensor);
            const double size = size_at(block, tensor);
            if (op.role == Role::loss && (in_place_loss || op.gradient_in_pieces)) {
                continue;
            }
            if (passes_through) {
                continue;  // the gradient of the sum is the gradient of each term: one buffer
            }
            if (gradient[t] > 0 || stream[t]) {
                duplicate += size;
            } else {
                gradient[t] = size;
                now += size;
            }
        }
        const double sum = now + duplicate + op.workspace_backward.base();
        peak.activations = std::max(peak.activations, sum);
        peak.all = std::max(peak.all, sum + peak.weights);
        for (const int tensor : op.outputs) {
            if (tensor == no_tensor || op.role == Role::adapter || passes_through) {
                continue;
            }
            const auto t = static_cast<std::size_t>(tensor);
            now -= gradient[t];
            gradient[t] = 0;
        }
        for (const int tensor : op.kept) {
            if (tensor == no_tensor ||
                live.first_keeper[static_cast<std::size_t>(tensor)] != static_cast<int>(r)) {
                continue;
            }
            if (op.role == Role::loss && in_place_loss && tensor == op.inputs[0]) {
                gradient[static_cast<std::size_t>(tensor)] = size_at(block, tensor);
                continue;  // it holds its gradient now
            }
            now -= size_at(block, tensor);
        }
    }
    return peak;
}

double quantized_inputs(const Block& block) {
    std::array<bool, most_tensors> seen{};
    double sum = 0;
    for (const Operator& op : block.operators) {
        if (!op.quantized || op.inputs[0] == no_tensor) {
            continue;
        }
        bool& counted = seen[static_cast<std::size_t>(op.inputs[0])];
        sum += counted ? 0 : size_at(block, op.inputs[0]);
        counted = true;
    }
    return sum;
}

/// torchtitan's per-operator policy: attention output and statistics, and the outputs of products
/// 1, 3, 5, ... of the layer are saved; what elementwise operators need is computed again. The
/// router's product is always computed again and does not count
/// (per_op_sac_force_recompute_mm_shapes_by_fqns).
template <typename Visit>
void every_second_matmul(const Block& block, Visit visit) {
    if (block.input != no_tensor) {
        visit(block.input);
    }
    for (std::size_t t = 0; t < block.tensors.size(); ++t) {
        if (block.tensors[t].name == "moe.exchanged") {
            visit(static_cast<int>(t));
        }
    }
    int products = 0;
    for (const Operator& op : block.operators) {
        // Grouped products of experts are not in the policy's list: they are computed again.
        if (op.role == Role::linear || op.role == Role::head) {
            ++products;
            if (products % 2 == 1) {
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

double kept_every_second_matmul(const Block& block) {
    double sum = 0;
    every_second_matmul(block, [&](int tensor) { sum += size_at(block, tensor); });
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
        const bool routing = software.routing_weights == RoutingWeights::in_activation;
        held += routing && tensor.name == "moe.indices" ? tensor.size.base() : 0;
    }
    return held;
}

}  // namespace

std::vector<int> kept_tensors(const Block& block,
                              RecomputeMode mode,
                              const SoftwareProfile& software) {
    std::vector<int> kept;
    const bool layer = block.position == Block::Position::layer;
    if (layer && mode == RecomputeMode::full) {
        kept.push_back(block.input);
        return kept;
    }
    const bool selective = layer && mode == RecomputeMode::selective;
    if (selective && software.selective == SelectiveRecompute::every_second_matmul) {
        every_second_matmul(block, [&](int tensor) { kept.push_back(tensor); });
        return kept;
    }
    const Liveness live = liveness(block);
    for (std::size_t t = 0; t < block.tensors.size() && t < most_tensors; ++t) {
        if (live.first_keeper[t] >= 0) {
            kept.push_back(static_cast<int>(t));
        }
    }
    if (selective) {
        inside_core_attention(block, [&](int tensor) { std::erase(kept, tensor); });
    }
    return kept;
}

BlockMemory memory_of(const Block& block,
                      const Workload& workload,
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
        Bytes::of_base(software.selective == SelectiveRecompute::every_second_matmul
                           ? std::min(kept, kept_every_second_matmul(block))
                           : kept_without_core(block, live));
    memory.quantized_inputs = Bytes::of_base(quantized_inputs(block));
    if (keeps_inputs(workload)) {
        // bitsandbytes holds them as attributes of the graph's nodes, which checkpointing does not
        // see.
        memory.kept_full = memory.kept_full + memory.quantized_inputs;
    }
    const bool in_place = software.loss_in_place && workload.loss != LossMode::eager;
    memory.forward_extra = Bytes::of_base(std::max(0.0, forward_peak(block, live, true) - kept));
    const BackwardPeak back =
        backward_peak(block, live, kept, in_place, bytes_per_element(workload.gradients));
    memory.backward_extra = Bytes::of_base(std::max(0.0, back.activations - kept));
    memory.backward_extra_last = Bytes::of_base(back.all - kept - back.weights);
    memory.inference_peak = Bytes::of_base(forward_peak(block, live, false));
    double largest = 0;
    for (const Operator& op : block.operators) {
        if (op.trains && op.rows > 0) {
            largest = std::max(largest, op.rows * op.columns * op.matrices);
        }
    }
    memory.largest_weight_gradient =
        Bytes::of_base(largest * bytes_per_element(storage_of(ComputeType::bf16)));
    return memory;
}

}  // namespace ridgeline
