// What sharded stacks gather: the weights of the units that compute or are prefetched.
#include "estimate/memory_parts.h"

#include <algorithm>

namespace ridgeline {
namespace {

/// Gathered units stay until the end of the step: resharding is off, or a pipeline needs them
/// again.
bool stays_gathered(const Rank& rank) {
    return !rank.plan().reshard_after_forward ||
           (rank.plan().pipeline > 1 && rank.plan().sharding != Sharding::zero3);
}

/// Bytes of one layer as gathered.
double gathered_unit(const Rank& rank) {
    const StageParameters& p = rank.parameters;
    if (!rank.software().fsdp_flattens) {
        return p.quantized > 0 ? p.layer_storage : p.layer * rank.compute;
    }
    // Adapters are units of their own, scales are no parameters.
    const double scales = whole_scales(rank) / std::max(1.0, rank.stage.layers);
    const double adapters = p.adapters / std::max(1.0, rank.stage.layers);
    return p.quantized > 0 ? p.layer_storage - scales - adapters * rank.adapter
                           : (p.layer - adapters) * rank.compute;
}

template <typename Ledger>
void add_gathered_layers(
    Ledger& list, const Rank& rank, std::string_view name, double units, MemoryPool pool) {
    const double unit = gathered_unit(rank);
    add(list,
        name,
        units * unit,
        "units layer_bytes",
        {{"units", units}, {"layer_parameters", rank.parameters.layer}, {"layer_bytes", unit}},
        "FSDP: the unit that computes and what is prefetched",
        {.pool = pool,
         .churn =
             !stays_gathered(rank) && pool == MemoryPool::compute ? Churn::layers : Churn::none});
}

}  // namespace

template <typename Ledger>
void add_gathered(Ledger& list, const Rank& rank, bool computing, bool table_unit) {
    if (!shards_weights(rank.plan().sharding) || rank.dense_group <= 1) {
        return;
    }
    const StageParameters& p = rank.parameters;
    const bool stays = stays_gathered(rank);
    const bool copies = uses_fsdp(rank) && rank.software().fsdp_copies_out;
    const bool own_pool = uses_fsdp(rank) && !copies;
    const MemoryPool pool = own_pool ? MemoryPool::gather : MemoryPool::compute;
    const double ahead = rank.software().fsdp_prefetch_units;
    const double layers = rank.stage.layers;
    if (stays || !copies || !computing) {
        // Where the tables are units of their own, the last layer is resharded before the loss.
        const bool separate = copies && rank.software().fsdp_tables == FsdpTables::separate;
        const double waiting = computing || separate ? 0 : ahead;
        const double units =
            stays ? layers : (computing ? std::min(layers, 1 + ahead) : std::min(layers, waiting));
        add_gathered_layers(list, rank, "gathered layers", units, pool);
    } else {
        add_gathered_layers(list, rank, "gathered layers", 1, pool);
        add_gathered_layers(
            list, rank, "all-gather buffer", std::min(layers - 1, ahead), MemoryPool::gather);
    }
    const bool root = rank.software().fsdp_tables == FsdpTables::root;
    if (rank.software().fsdp_flattens && rank.plan().offload_parameters != OffloadTarget::none) {
        add(list,
            "shard from the host",
            std::max(root ? p.tables * rank.compute : 0, gathered_unit(rank)) / rank.dense_group,
            "largest unit / group",
            {{"group", rank.dense_group}},
            "FSDP: copied to the device before it is gathered",
            {.pool = MemoryPool::gather});
    }
    if (root || table_unit || stays) {
        const double tables = root || stays ? p.tables : p.head_tables;
        add(list,
            "gathered tables",
            tables * rank.compute,
            "tables bytes",
            {{"table_parameters", tables}, {"bytes", rank.compute}},
            root ? "FSDP root unit stays gathered for the whole step" : "",
            {.pool = pool});
    }
}

double gather_buffers(const Rank& rank) {
    if (!uses_fsdp(rank) || !rank.software().fsdp_copies_out) {
        return 0;
    }
    // The next unit is gathered while the one before it is copied out: two layers, or the tables.
    // Beside it the rank's own shard in the type that is gathered.
    const StageParameters& p = rank.parameters;
    const bool root = rank.software().fsdp_tables == FsdpTables::root;
    const double tables = root ? p.tables : std::max(p.head_tables, p.tables - p.head_tables);
    return std::max(tables * rank.compute, 2 * gathered_unit(rank)) * (1 + 1 / rank.dense_group);
}

template void add_gathered(Components&, const Rank&, bool, bool);
template void add_gathered(Totals&, const Rank&, bool, bool);

}  // namespace ridgeline
