// Amounts of one rank that the instants of a training step are made of.
#include "estimate/memory/amounts.h"

#include "estimate/families/transformer/block_builder.h"
#include "estimate/families/transformer/loss.h"
#include "estimate/memory/counters.h"
#include "estimate/memory/training_peak.h"
#include "estimate/work/operator.h"

#include <algorithm>

namespace ridgeline {
namespace {

enum class Kept { none, selective, full };

double kept_of(const BlockMemory& block, Kept kept) {
    switch (kept) {
        case Kept::none:
            return block.kept.base();
        case Kept::selective:
            return block.kept_selective.base();
        case Kept::full:
            return block.kept_full.base();
    }
    return 0;
}

Kept kept_mode(const Rank& rank) {
    switch (rank.plan().recompute) {
        case RecomputeMode::none:
            return Kept::none;
        case RecomputeMode::selective:
            return Kept::selective;
        case RecomputeMode::full:
            return Kept::full;
    }
    return Kept::none;
}

}  // namespace

LayerActivations layer_activations(const Rank& rank) {
    LayerActivations sum;
    const Kept mode = kept_mode(rank);
    for (std::size_t i = 0; i < rank.list.size(); ++i) {
        if (rank.list[i].position != Block::Position::layer || rank.stage.repeats[i] == 0) {
            continue;
        }
        const BlockMemory& block = rank.blocks[i];
        const double count = rank.stage.repeats[i];
        double kept = kept_of(block, mode) * count;
        const int full = rank.plan().full_recompute_layers;
        if (full >= 0) {
            const double share = std::min(1.0, full / std::max(1.0, rank.stage.layers));
            kept = count * (share * block.kept_full.base() + (1 - share) * block.kept.base());
        }
        sum.one_micro_batch += kept;
        sum.forward_extra = std::max(sum.forward_extra, block.forward_extra.base());
        // A layer that runs again holds its input and needs what its forward pass needs.
        const bool again = mode == Kept::full;
        const double held = again ? block.recomputed.base() : block.kept.base();
        // The gradient of its output waits until the layer has run again.
        const double run_again = again ? block.forward_extra.base() + block.kept_full.base() : 0;
        const double compiled = again ? block.compiled_again.base() - held : 0;
        const double extra = std::max({block.backward_extra.base(), run_again, compiled});
        if (held + extra > sum.last_full + sum.backward_extra) {
            sum.last_full = held;
            sum.backward_extra = extra;
            sum.backward_extra_last = block.backward_extra_last.base();
            sum.last_kept = full >= 0 ? (full > 0 ? block.kept_full.base() : block.kept.base())
                                      : kept_of(block, mode);
            sum.input = block.kept_full.base();
        }
    }
    sum.total = sum.one_micro_batch * rank.stage.in_flight;
    if (keeps_layers_on_host(rank.plan(), rank.software().support)) {
        // A double buffer of one layer's kept tensors stays on the device.
        sum.total = std::min(sum.total, 2 * sum.last_kept);
    }
    return sum;
}

double held_by_dispatchers(const Rank& rank) {
    const bool holds = rank.software().runtime.routing_weights() == RoutingWeights::in_activation &&
                       kept_mode(rank) == Kept::full;
    double held = 0;
    double largest = 0;
    for (std::size_t i = 0; holds && i < rank.list.size(); ++i) {
        const std::vector<Operator>& operators = rank.list[i].operators;
        const bool routes = std::any_of(operators.begin(), operators.end(),
                                        [](const Operator& op) { return op.role == Role::router; });
        if (routes && rank.stage.repeats[i] > 0) {
            const double each = 2 * rank.blocks[i].kept_full.base();
            held += each * rank.stage.repeats[i];
            largest = std::max(largest, each);
        }
    }
    // The layer that runs is counted by itself, with the gradient of the next one's input.
    return std::max(0.0, held - largest - largest / 2);
}

double end_kept(const Rank& rank, Block::Position position) {
    double kept = 0;
    for (std::size_t i = 0; i < rank.list.size(); ++i) {
        if (rank.list[i].position == position && rank.stage.repeats[i] > 0) {
            kept += rank.blocks[i].kept.base();
        }
    }
    return kept;
}

bool gradients_always(const Rank& rank) {
    const bool accumulates = rank.micro_batches > 1 && !waits_on_host(rank);
    return rank.software().runtime.buffers_gradients() ||
           ((accumulates || whole_gradients(rank)) && !rank.workload().optimizer_in_backward);
}

double held_casts(const Rank& rank) {
    if (rank.plan().recompute != RecomputeMode::full || rank.weight <= rank.compute) {
        return 0;
    }
    double bytes = 0;
    for (std::size_t i = 0; i < rank.list.size(); ++i) {
        const bool layer = rank.list[i].position == Block::Position::layer;
        for (const Tensor& tensor : rank.list[i].tensors) {
            const bool cast = layer && tensor.name == cast_weight;
            bytes += cast ? rank.stage.repeats[i] * tensor.size.base() : 0;
        }
    }
    const double again = rank.plan().full_recompute_layers;
    return again < 0 ? bytes : bytes * std::min(1.0, again / std::max(1.0, rank.stage.layers));
}

double logit_count(const Rank& rank) {
    for (const Operator& op : rank.list.back().operators) {
        if (op.role == Role::head) {
            return std::max(1.0, op.gemm.m * op.gemm.n);
        }
    }
    return 1;
}

double earlier_logits(const Rank& rank) {
    const bool holds = rank.plan().pipeline > 1 && rank.software().runtime.pipeline_holds_outputs();
    return holds ? (rank.micro_batches - 1) * logits_bytes(rank) : 0;
}

namespace {

/// A loop whose variable holds the outputs of a step until the next ones are made, so that 16-bit
/// logits find their own block taken.
bool holds_last_outputs(const Rank& rank) {
    const SoftwareProfile& software = rank.software();
    return software.kernels.loss.holds_logits() && !software.kernels.loss.holds_float() &&
           software.kernels.loss.upcasts && !expandable_segments(rank) &&
           rank.workload().loss == LossMode::eager && rank.plan().pipeline <= 1 &&
           logits_bytes(rank) < 4 * logit_count(rank);
}

}  // namespace

double hole_at_loss(const Rank& rank, const LayerActivations& layers) {
    const SoftwareProfile& software = rank.software();
    const LossMode loss = rank.workload().loss;
    const bool sliced = loss == LossMode::vocab_parallel &&
                        slices_eagerly(software, rank.workload()) && rank.plan().pipeline <= 1;
    const bool frees =
        (loss == LossMode::eager || sliced) && software.kernels.loss.upcasts &&
        (!software.kernels.loss.holds_logits() || software.kernels.loss.holds_float()) &&
        rank.compute < 4;
    double hole = frees ? logits_bytes(rank) : 0;
    if (holds_last_outputs(rank)) {
        hole += 2 * logits_bytes(rank);
    }
    double layer = 0;
    for (std::size_t i = 0; i < rank.list.size(); ++i) {
        if (rank.list[i].position == Block::Position::layer && rank.stage.repeats[i] > 0) {
            layer = std::max(layer, rank.blocks[i].inference_peak.base());
        }
    }
    if (!expandable_segments(rank) && rank.plan().recompute != RecomputeMode::none) {
        hole += layer * (1 + fragmentation_of(rank.input).layers);
    }
    if (fragments_experts(rank.input)) {
        hole += layers.total * software.runtime.fragmentation_experts();
    }
    return hole;
}

double last_unit(const Rank& rank) {
    const StageParameters& p = rank.parameters;
    return p.table_trained + (has_table_units(rank) ? 0 : p.head_trained);
}

bool reduces_tables_last(const Rank& rank) {
    const bool sharded = shards_weights(rank.plan().sharding) && rank.dense_group > 1;
    return sharded && rank.software().runtime.copies_out() && !whole_gradients(rank) &&
           rank.workload().method == Method::full && !rank.workload().optimizer_in_backward &&
           rank.plan().offload_parameters == OffloadTarget::none &&
           rank.parameters.table_trained > 0;
}

double head_gradient_share(const Rank& rank) {
    if (rank.workload().method != Method::full || !rank.stage.last) {
        return 0;
    }
    const double head = rank.parameters.head_trained;
    return rank.trained() > 0 ? std::min(1.0, head / rank.trained()) : 0;
}

double last_gradient_share(const Rank& rank) {
    const bool apart = rank.workload().method == Method::full && rank.stage.first &&
                       rank.parameters.shared_table == 0;
    return apart && rank.trained() > 0
               ? std::min(1.0, rank.parameters.table_trained / rank.trained())
               : 0;
}

double tied_table(const Rank& rank) {
    if (rank.workload().method != Method::full || rank.software().runtime.buffers_gradients()) {
        return 0;
    }
    return rank.parameters.shared_table;
}

bool holds_last_inputs(const Rank& rank) {
    if (rank.parameters.quantized <= 0) {
        return false;
    }
    const SoftwareProfile& software = rank.software();
    if (keeps_inputs(rank.workload())) {
        return software.kernels.loss.holds_logits();
    }
    // Lengths that are no multiple of 64 are those of the longest sample of a data set: the step
    // before it was of another, shorter one.
    return software.kernels.loss.outlives_step && software.runtime.quantized_keeps_input() &&
           rank.workload().batch.sequence_length % 64 == 0 &&
           rank.plan().recompute == RecomputeMode::none;
}

}  // namespace ridgeline
