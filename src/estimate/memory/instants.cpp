// The instants of a training step at which memory may peak, each a short list of named components.
#include "estimate/memory/instants.h"

#include "estimate/memory/amounts.h"
#include "estimate/memory/counters.h"
#include "estimate/memory/ledger.h"
#include "estimate/memory/pass_instants.h"
#include "estimate/memory/training_peak.h"

#include <algorithm>

namespace ridgeline {
namespace {

/// What FSDP1 gathers, when.
enum class Gathers { tables, last_layers, first_layers };

/// A unit is gathered, with its shard from the host where it waits there: the tables before the
/// pass back begins, gathered or not; a layer when the one above has nearly run back.
template <typename Ledger>
auto gathering_instant(const Rank& rank, const LayerActivations& layers, const Ledger& base,
                       Gathers gathers) {
    Ledger list = base;
    LayerActivations left = layers;
    const bool first = gathers == Gathers::first_layers;
    if (first) {
        left.total = 2 * layers.last_kept;
    }
    if (first || gradients_always(rank)) {
        add_gradients(list, rank, 1);
    }
    add_activations(list, rank, left);
    const bool tables = gathers == Gathers::tables;
    if (tables) {
        add(list, "loss kept", head_of(rank)->kept.base(), "logits and what the loss keeps", {});
    } else {
        add(list, "held logits", held_logits(rank), "tokens vocabulary bytes", {});
        add_next_gathered(list, rank);
    }
    add_gathered(list, rank, !tables, tables);
    if (copies_shards(rank)) {
        add_copied_shard(list, rank, tables);
    }
    constexpr std::string_view names[] = {"gathering of the tables", "gathering of the last layers",
                                          "gathering of the first layers"};
    return finish(names[static_cast<std::size_t>(gathers)], std::move(list));
}

/// FSDP1 with the tables in its root unit: their gradients are all there when the embedding's is,
/// and are copied into the gradient of the flat parameter.
bool flattens_tables(const Rank& rank) {
    return uses_fsdp(rank) && !has_table_units(rank) && !rank.software().runtime.copies_out() &&
           rank.plan().pipeline == 1 && rank.workload().method == Method::full;
}

template <typename Ledger>
auto flattened_tables_instant(const Rank& rank, const Ledger& base) {
    Ledger list = base;
    add(list, "held logits", held_logits(rank), "tokens vocabulary bytes", {});
    const double tables = rank.parameters.tables;
    const double left = std::max(0.0, 1 - tables / std::max(1.0, rank.trained()));
    add_gradients(list, rank, gradients_always(rank) ? 1 : left);
    // The views of a unit are made on the stream that gathers: there the two of a tied table are
    // added, before they are copied.
    const bool added = rank.software().runtime.options.wide_shards;
    const double shared = added ? rank.parameters.shared_table : 0;
    add(list, "unsharded table gradients", (2 * tables + shared) * rank.compute,
        "(2 tables + shared table) bytes",
        {{"table_parameters", tables},
         {"shared_table_parameters", shared},
         {"bytes", rank.compute}},
        "FSDP1: of each table, and of the flat parameter that they are copied into");
    add_gathered(list, rank, false, true);
    return finish("backward of the tables", std::move(list));
}

/// Bytes that are free when the tables are reduced and too scattered for the fp32 input of the
/// reduce-scatter, one block: it fits where the layers' activations or fp32 logits have been.
double hole_at_tables(const Rank& rank, const LayerActivations& layers) {
    const double input =
        last_unit(rank) * bytes_per_element(rank.software().runtime.options.reduce);
    const bool eager = rank.stage.last && rank.workload().loss == LossMode::eager;
    if (input <= std::max(layers.total, eager ? 4 * logit_count(rank) : 0)) {
        return 0;
    }
    const Totals base = resident(rank, Totals{.fragmentation = fragmentation_of(rank.input)});
    const Totals before = backward_instant(rank, layers, base, true);
    const std::size_t pool = static_cast<std::size_t>(MemoryPool::compute);
    return std::max(0.0, before.pools[pool] - base.pools[pool] -
                             (last_unit(rank) + rest_of_table(rank)) * rank.compute);
}

/// The last unit to be reduced: the tables before the layers, with the head's in one root unit.
template <typename Ledger>
auto tables_instant(const Rank& rank, const LayerActivations& layers, const Ledger& base) {
    Ledger list = base;
    const double unit = last_unit(rank);
    add_gradients(list, rank, 1 - unit / rank.trained());
    const double reduce = bytes_per_element(rank.software().runtime.options.reduce);
    add(list, "unsharded table gradients",
        (unit + rest_of_table(rank)) * rank.compute + unit * reduce, "tables (compute + reduce)",
        {{"table_parameters", unit}, {"compute_bytes", rank.compute}, {"reduce_bytes", reduce}},
        "FSDP2: gradients of the unit and the input of its reduce-scatter");
    add_regathered(list, rank);
    return with_hole(finish("reduction of the tables", std::move(list)),
                     hole_at_tables(rank, layers), false);
}

/// The end of a micro-batch's backward pass on the first stage of an FSDP pipeline: the embedding's
/// gradient beside the fp32 sum that it is added to.
template <typename Ledger>
auto table_gradient_instant(const Rank& rank, const LayerActivations& layers, const Ledger& base) {
    Ledger list = base;
    LayerActivations left = layers;
    left.total = std::max(0.0, layers.total - layers.one_micro_batch);
    add_activations(list, rank, left);
    add_gradients(list, rank, 1);
    const double table = rank.parameters.table_trained + rest_of_table(rank);
    add(list, "gradient of the table", table * rank.compute, "table_parameters bytes",
        {{"table_parameters", table}, {"bytes", rank.compute}});
    add_gathered(list, rank, false, false);
    return finish("gradient of the table", std::move(list));
}

template <typename Ledger>
auto optimizer_instant(const Rank& rank, const Ledger& base) {
    Ledger list = base;
    if (!rank.workload().optimizer_in_backward) {
        add_gradients(list, rank, 1, true);
    }
    const bool sharded = shards_states(rank.plan().sharding);
    if (rank.workload().optimizer_implementation == OptimizerImplementation::foreach &&
        rank.workload().optimizer != "adafactor" && !plain_sgd(rank.workload(), rank.software()) &&
        !rank.workload().optimizer_in_backward && !rank.software().runtime.buffers_gradients() &&
        rank.plan().offload_optimizer == OffloadTarget::none) {
        const double bytes = std::max(bytes_per_element(rank.workload().optimizer_state),
                                      rank.workload().master_weights ? 4.0 : 0.0);
        add(list, "optimizer transient", rank.trained_bytes(bytes, bytes, sharded),
            "trained bytes / group",
            {{"trained_parameters", rank.trained()},
             {"bytes", bytes},
             {"group", rank.dense(sharded)}},
            "foreach AdamW: one list of square roots of the second moment");
    }
    if (rank.workload().optimizer == "adafactor" && !rank.workload().optimizer_in_backward) {
        const StageParameters& p = rank.parameters;
        const double largest = std::max(p.largest_matrix, p.table_trained);
        const double copies = rank.weight < 4 ? 4 : 2;
        add(list, "optimizer transient", copies * 4 * largest / rank.dense(sharded),
            "copies 4 largest / group",
            {{"copies", copies}, {"largest", largest}, {"group", rank.dense(sharded)}},
            "Adafactor: fp32 gradient and weight of a 16-bit matrix, its update and the next one");
    }
    return finish("optimizer step", std::move(list));
}

template <typename Ledger>
auto next_forward_instant(const Rank& rank, const LayerActivations& layers, const Ledger& base) {
    Ledger list = base;
    add_activations(list, rank, layers);
    double inputs = 0;
    for (std::size_t i = 0; i < rank.list.size(); ++i) {
        inputs += rank.stage.repeats[i] * rank.blocks[i].quantized_inputs.base();
    }
    add(list, "inputs of the last step", inputs, "distinct inputs of quantised products", {},
        "bitsandbytes (4-bit before 0.44): attributes of the graph that the loop's loss holds");
    const double logits = logits_bytes(rank);
    const double held = rank.software().kernels.loss.holds_float() ? 4 / rank.compute : 1;
    if (keeps_inputs(rank.workload())) {
        // The model makes the loss before it returns.
        const BlockMemory& head = *head_of(rank);
        add(list, "loss kept", head.kept.base(), "final norm, logits and what the loss keeps", {});
        add(list, "loss transient", head.forward_extra.base(), "fp32 copies of the logits", {});
    } else {
        add(list, "logits", logits, "tokens vocabulary bytes", {});
    }
    add(list, "logits of the last step", logits * held, "tokens vocabulary bytes", {});
    if (rank.software().kernels.adapter.quantizes_head()) {
        add(list, "dequantised weight",
            rank.parameters.largest_quantized * rank.compute *
                rank.software().kernels.adapter.expanded_copies(),
            "largest matrix bytes copies", {});
    }
    return finish("forward of the next step", std::move(list));
}

/// Calls `visit` with every instant of the stage, in their order.
///
/// empty  the ledger to begin with
template <typename Ledger, typename Visit>
void each_instant(const Rank& rank, const Ledger& empty, Visit visit) {
    const Ledger base = resident(rank, empty);
    const LayerActivations layers = layer_activations(rank);
    if (layers.forward_extra > layers.backward_extra) {
        visit(forward_instant(rank, layers, base));
    }
    if (rank.stage.last && rank.input.architecture.has_head) {
        visit(loss_instant(rank, layers, base));
        if (holds_last_inputs(rank)) {
            visit(next_forward_instant(rank, layers, base));
        }
    }
    if (copies_shards(rank) && rank.stage.last) {
        visit(gathering_instant(rank, layers, base, Gathers::tables));
    }
    if (copies_shards(rank) || wraps_adapters(rank)) {
        visit(gathering_instant(rank, layers, base, Gathers::last_layers));
        visit(gathering_instant(rank, layers, base, Gathers::first_layers));
    }
    visit(backward_instant(rank, layers, base, false));
    visit(backward_instant(rank, layers, base, true));
    if (flattens_tables(rank)) {
        visit(flattened_tables_instant(rank, base));
    }
    if (whole_gradients(rank) && rank.parameters.table_trained > 0) {
        visit(table_gradient_instant(rank, layers, base));
    }
    if (reduces_tables_last(rank)) {
        visit(tables_instant(rank, layers, base));
    }
    visit(optimizer_instant(rank, base));
}

}  // namespace

std::vector<Instant> instants_of(const Rank& rank) {
    std::vector<Instant> instants;
    each_instant(rank, Components{},
                 [&instants](Instant instant) { instants.push_back(std::move(instant)); });
    return instants;
}

Totals highest_totals(const Rank& rank, const Fragmentation& fragmentation) {
    Totals highest;
    each_instant(rank, Totals{.fragmentation = fragmentation}, [&highest](const Totals& instant) {
        highest.total = std::max(highest.total, instant.total);
        for (std::size_t pool = 0; pool < memory_pools; ++pool) {
            highest.pools[pool] = std::max(highest.pools[pool], instant.pools[pool]);
        }
    });
    return highest;
}

double resident_bytes(const Rank& rank) { return resident(rank, Totals{}).total; }

double activation_bytes(const Rank& rank) {
    Totals sums;
    add_activations(sums, rank, layer_activations(rank));
    return sums.total;
}

}  // namespace ridgeline
