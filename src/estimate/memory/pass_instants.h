// The instants of the passes forward and back. A `Ledger` collects components, or only adds them up
// (ledger.h).
#pragma once

#include "estimate/families/transformer/block_builder.h"
#include "estimate/memory/amounts.h"
#include "estimate/memory/ledger.h"
#include "estimate/memory/training_peak.h"

#include <algorithm>

namespace ridgeline {

inline const BlockMemory* head_of(const Rank& rank) {
    return rank.stage.last ? &rank.blocks.back() : nullptr;
}

/// States and buffers that live through the whole step.
template <typename Ledger>
Ledger resident(const Rank& rank, Ledger list) {
    add_weights(list, rank);
    add_states(list, rank);
    add_framework_buffers(list, rank);
    return list;
}

template <typename Ledger>
void add_activations(Ledger& list, const Rank& rank, const LayerActivations& layers) {
    const double kept = end_kept(rank, Block::Position::first) * rank.stage.in_flight;
    add(list, "activations.embedding", kept, "kept by the embedding", {});
    add_pipeline_buffers(list, rank, layers.input);
    add(list, "activations.layers", layers.total, "layers kept_per_layer micro_batches_in_flight",
        {{"layers", rank.stage.layers},
         {"kept_per_layer_mib",
          layers.one_micro_batch / std::max(1.0, rank.stage.layers) / (1024.0 * 1024.0)},
         {"in_flight", rank.stage.in_flight}},
        "sum over the operators of the layer (see the operator list)");
}

template <typename Ledger>
auto forward_instant(const Rank& rank, const LayerActivations& layers, const Ledger& base) {
    Ledger list = base;
    add_activations(list, rank, layers);
    if (gradients_always(rank)) {
        add_gradients(list, rank, 1);
    }
    add(list, "forward transient", layers.forward_extra, "workspaces of one layer", {});
    add_gathered(list, rank, true, false);
    return finish("forward of the last layer", std::move(list));
}

template <typename Ledger>
auto loss_instant(const Rank& rank, const LayerActivations& layers, const Ledger& base) {
    const bool one_length = rank.software().allocator.fragmentation_loss() == 0;
    Ledger list = one_length ? unfragmented(base) : base;
    add_activations(list, rank, layers);
    if (gradients_always(rank)) {
        add_gradients(list, rank, 1);
    }
    const BlockMemory& head = *head_of(rank);
    add(list, "outputs of micro-batches", earlier_logits(rank), "(micro_batches - 1) logits", {});
    const double logits = logit_count(rank);
    add(list, "loss kept", head.kept.base(),
        "logits bytes_each: final norm, logits and what the loss keeps",
        {{"logits", logits}, {"bytes_each", head.kept.base() / logits}});
    // A model that upcasts its logits does so under autocast; of another the trainer's wrapper
    // makes the fp32 copy, when autocast has ended.
    const double made = head.forward_extra.base();
    const double forward = rank.input.architecture.loss_upcasts ? made + held_casts(rank)
                                                                : std::max(made, held_casts(rank));
    const double transient = std::max(head.backward_extra.base(), forward);
    add(list, "loss transient", transient,
        "logits bytes_each: gradients of the logits and the loss kernels' fp32 copies",
        {{"logits", logits}, {"bytes_each", transient / logits}});
    const bool frozen_quantized_head =
        rank.parameters.quantized > 0 && rank.software().kernels.adapter.quantizes_head();
    if (frozen_quantized_head) {
        add(list, "dequantised weight",
            // The head's weight is expanded when the loss has freed its gradients.
            rank.parameters.largest_quantized * rank.compute *
                    rank.software().kernels.adapter.expanded_copies() -
                transient,
            "largest matrix bytes copies - loss transient",
            {{"parameters", rank.parameters.largest_quantized},
             {"bytes", rank.compute},
             {"copies", static_cast<double>(rank.software().kernels.adapter.expanded_copies())}});
    }
    add_gathered(list, rank, false, true);
    return with_hole(finish("loss", std::move(list)), one_length ? hole_at_loss(rank, layers) : 0,
                     one_length);
}

inline bool rank_shards(const Rank& rank) {
    return shards_weights(rank.plan().sharding) && rank.dense_group > 1;
}

/// The gradients of the tables are made when the layers are done.
///
/// missing: bytes of gradients that are still to come; share: of all gradients, those there;
/// freed: bytes of the layer's activations and workspaces that are gone by then
template <typename Ledger>
void add_table_gradients(Ledger& list, const Rank& rank, double missing, double share, double freed,
                         const LayerActivations& layers) {
    const double gone = freed + std::max(0.0, layers.last_full - layers.last_kept);
    if (share > 0 && !gradients_always(rank)) {
        add(list, "gradients of the tables",
            missing + last_gradient_share(rank) * gradient_bytes(rank) - gone,
            "table bytes - what the layer has freed", {},
            "the embedding's gradient is made when the layers are done");
    }
    // That of earlier micro-batches is there too.
    const double copies = (gradients_always(rank) ? 2 : 1) + (sums_tied_apart(rank) ? 1 : 0);
    add(list, "second gradient of a tied table",
        tied_table(rank) > 0 ? missing + copies * tied_table(rank) * rank.gradient - gone : 0,
        "table bytes copies - what the layer has freed", {{"copies", copies}},
        "the embedding makes its gradient beside the head's before autograd adds the two");
}

/// Gradients of a unit before they are reduced, or the one that an operator is about to add. Those
/// of the operators that have yet to run back do not exist when the layer's tensors are most.
template <typename Ledger>
void add_unsharded_gradients(Ledger& list, const Rank& rank, const LayerActivations& layers,
                             bool first_layer) {
    const StageParameters& p = rank.parameters;
    if (rank_shards(rank) && !whole_gradients(rank)) {
        const double reduce = bytes_per_element(rank.software().runtime.options.reduce);
        // Adapters that FSDP1 wraps are reduced one by one.
        const bool one_by_one = rank.software().runtime.flattens() && p.adapters > 0;
        const double trained = one_by_one ? 0 : p.layer_trained;
        const bool head_before = !first_layer && has_table_units(rank);
        // accelerate's FSDP1: the flat gradient before has been given back, the unit's own is made
        // when the layer's activations are gone.
        const bool followed = rank.software().runtime.options.wide_shards;
        const bool gone = followed && !rank.software().runtime.options.shards_by_parameter;
        const double before = head_before ? std::max(trained, p.head_trained) : trained;
        const double sent = gone ? 0 : before;
        // Held against traces of the Trainer alone.
        const double to_come = followed
                                   ? std::clamp(layers.backward_extra - layers.backward_extra_last,
                                                0.0, trained * rank.compute)
                                   : 0;
        add(list, "unsharded gradients", trained * rank.compute - to_come + sent * reduce,
            "layer_trained compute - to_come + sent reduce",
            {{"layer_trained_parameters", trained},
             {"compute_bytes", rank.compute},
             {"to_come_mib", to_come / (1024.0 * 1024.0)},
             {"sent_parameters", sent},
             {"reduce_bytes", reduce}},
            "FSDP: gradients of the unit and the reduce-scatter input of the one before");
        if (!has_table_units(rank)) {
            add(list, "unsharded table gradients",
                head_gradient_share(rank) * rank.trained() * rank.compute, "head bytes", {});
        }
    } else if (!rank.software().runtime.fuses_weight_gradients() &&
               rank.workload().method == Method::full) {
        add(list, "weight gradient transient",
            rank.micro_batches > 1 || rank.software().runtime.buffers_gradients() ||
                    rank.workload().optimizer_in_backward
                ? p.largest_matrix * rank.compute
                : 0,
            "largest matrix bytes", {{"parameters", p.largest_matrix}, {"bytes", rank.compute}});
    }
}

template <typename Ledger>
auto backward_instant(const Rank& rank, const LayerActivations& layers, const Ledger& base,
                      bool first_layer) {
    Ledger list = base;
    LayerActivations left = layers;
    double share = head_gradient_share(rank);
    if (first_layer) {
        // The last layer to run backward: earlier gradients are all there, other layers are freed.
        left.total =
            std::max(layers.last_kept, layers.total - layers.one_micro_batch + layers.last_kept);
        share = rank.workload().optimizer_in_backward ? 0 : 1 - last_gradient_share(rank);
    } else if (whole_gradients(rank) && rank.stage.in_flight > 1 &&
               rank.micro_batches <= rank.stage.in_flight) {
        // All gradients are there from the second micro-batch on, when no new one has begun.
        left.total -= layers.one_micro_batch;
    }
    add_activations(list, rank, left);
    if (first_layer) {
        add(list, "held by dispatchers", held_by_dispatchers(rank),
            "expert layers 2 streams: input and its gradient", {},
            "Megatron-Core token_dispatcher.py remembers the routing weights and their graph");
    }
    add(list, "held logits", held_logits(rank), "tokens vocabulary bytes", {});
    if (rank.stage.last) {
        add(list, "outputs of micro-batches", earlier_logits(rank), "(micro_batches - 1) logits",
            {});
    }
    const bool sharded = rank_shards(rank);
    // Gradients of the layer's weights that its highest operator does not find yet.
    double missing = 0;
    if (first_layer && !sharded && share > 0 && !gradients_always(rank)) {
        missing = std::min(layers.backward_extra - layers.backward_extra_last,
                           share * gradient_bytes(rank));
        share -= missing / gradient_bytes(rank);
    }
    add_gradients(list, rank, gradients_always(rank) ? 1 : share);
    const bool recomputes = layers.last_full > layers.last_kept;
    if (recomputes) {
        add(list, "recomputed layer", layers.last_full - layers.last_kept,
            "kept_without_recomputation - kept",
            {{"kept_without_mib", layers.last_full / (1024.0 * 1024.0)},
             {"kept_mib", layers.last_kept / (1024.0 * 1024.0)}});
    }
    add(list, "backward transient", layers.backward_extra,
        "gradients of activations and workspaces of one layer", {});
    if (first_layer && !sharded) {
        add_table_gradients(list, rank, missing, share, left.total + layers.backward_extra, layers);
    }
    add_unsharded_gradients(list, rank, layers, first_layer);
    add_gathered(list, rank, true, false);
    if (first_layer) {
        add_regathered(list, rank);
    }
    return finish(first_layer ? "backward of the first layer" : "backward of the last layer",
                  std::move(list));
}

}  // namespace ridgeline
