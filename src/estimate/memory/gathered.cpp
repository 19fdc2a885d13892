// What sharded stacks gather: the weights of the units that compute or are prefetched.
#include "estimate/memory/rank.h"

#include <algorithm>

namespace ridgeline {
namespace {

/// Gathered units stay until the end of the step: resharding is off, or a pipeline needs them
/// again.
bool stays_gathered(const Rank& rank) {
    return !rank.plan().reshard_after_forward ||
           (rank.plan().pipeline > 1 && rank.plan().sharding != Sharding::zero3);
}

/// Trained parameters of the experts of one layer (the largest kind) on this rank, and how many
/// layers of the stage have some.
struct ExpertUnits {
    double parameters = 0;
    double layers = 0;
};

ExpertUnits expert_units(const Rank& rank) {
    ExpertUnits units;
    for (std::size_t i = 0; i < rank.list.size(); ++i) {
        double experts = 0;
        for (const Operator& op : rank.list[i].operators) {
            experts += op.expert ? op.parameters : 0;
        }
        units.parameters = std::max(units.parameters, experts);
        units.layers += experts > 0 ? rank.stage.repeats[i] : 0;
    }
    return units;
}

/// Bytes of one layer as gathered.
double gathered_unit(const Rank& rank) {
    const StageParameters& p = rank.parameters;
    if (!rank.software().runtime.flattens()) {
        const double each = gathers_float8(rank) ? 1 : rank.compute;
        return p.quantized > 0 ? p.layer_storage : p.layer * each;
    }
    // Adapters are units of their own, scales are no parameters.
    const double scales = whole_scales(rank) / std::max(1.0, rank.stage.layers);
    const double adapters = p.adapters / std::max(1.0, rank.stage.layers);
    return p.quantized > 0 ? p.layer_storage - scales - adapters * rank.adapter
                           : (p.layer - adapters) * rank.compute;
}

/// accelerate has FSDP1 gather no unit before the one that needs it (backward_prefetch and
/// forward_prefetch of its plugin are off unless they are asked for).
bool gathers_late(const Rank& rank) {
    const RuntimeProfile& runtime = rank.software().runtime;
    return uses_fsdp(rank) && runtime.options.wide_shards && !runtime.options.shards_by_parameter;
}

/// FSDP2 gathers a unit into a buffer and copies its parameters out.
bool copies_units(const Rank& rank) {
    const RuntimeProfile& runtime = rank.software().runtime;
    return uses_fsdp(rank) && (runtime.copies_out() || runtime.options.shards_by_parameter);
}

template <typename Ledger>
void add_gathered_layers(Ledger& list, const Rank& rank, ComponentName name, double units,
                         MemoryPool pool) {
    const double unit = gathered_unit(rank);
    add(list, name, units * unit, "units layer_bytes",
        {{"units", units}, {"layer_parameters", rank.parameters.layer}, {"layer_bytes", unit}},
        "FSDP: the unit that computes and what is prefetched",
        {.pool = pool,
         .churn =
             !stays_gathered(rank) && pool == MemoryPool::compute ? Churn::layers : Churn::none});
}

}  // namespace

bool wraps_adapters(const Rank& rank) {
    return rank.software().runtime.flattens() && uses_fsdp(rank) && rank.parameters.adapters > 0;
}

template <typename Ledger>
void add_gathered(Ledger& list, const Rank& rank, bool computing, bool table_unit) {
    if (!shards_weights(rank.plan().sharding) || rank.dense_group <= 1) {
        return;
    }
    const StageParameters& p = rank.parameters;
    const bool stays = stays_gathered(rank);
    const bool copies = copies_units(rank);
    const bool own_pool = uses_fsdp(rank) && !copies;
    const MemoryPool pool = own_pool ? MemoryPool::gather : MemoryPool::compute;
    // Adapters that are units stand between a layer and the next: that one is gathered when the
    // layer has nearly run.
    const double ahead = (wraps_adapters(rank) && computing) || gathers_late(rank) ? 0 : 1;
    const double layers = rank.stage.layers;
    if (stays || !copies || !computing) {
        // torchtitan's last layer stays until it runs back, unless the tables are units.
        const bool separate =
            copies && (has_table_units(rank) || !rank.software().runtime.copies_out());
        const double waiting = computing || separate ? 0 : ahead;
        const double units =
            stays ? layers : (computing ? std::min(layers, 1 + ahead) : std::min(layers, waiting));
        add_gathered_layers(list, rank, "gathered layers", units, pool);
    } else {
        add_gathered_layers(list, rank, "gathered layers", 1, pool);
        add_gathered_layers(list, rank, "all-gather buffer", std::min(layers - 1, ahead),
                            MemoryPool::gather);
    }
    const bool root = !has_table_units(rank);
    if (root || table_unit || stays) {
        const double tables = root || stays ? p.tables : p.head_tables;
        add(list, "gathered tables", tables * rank.compute, "tables bytes",
            {{"table_parameters", tables}, {"bytes", rank.compute}},
            root ? "FSDP root unit stays gathered for the whole step" : "", {.pool = pool});
    }
}

template <typename Ledger>
void add_next_gathered(Ledger& list, const Rank& rank) {
    const double units = std::min(rank.stage.layers - 1, 1.0);
    add_gathered_layers(list, rank, "next gathered layer", units, MemoryPool::gather);
}

bool copies_shards(const Rank& rank) {
    return rank.software().runtime.flattens() && uses_fsdp(rank) &&
           rank.plan().offload_parameters != OffloadTarget::none;
}

template <typename Ledger>
void add_copied_shard(Ledger& list, const Rank& rank, bool tables) {
    const double unit = tables ? rank.parameters.tables * rank.compute : gathered_unit(rank);
    add(list, "shard from the host", unit / rank.dense_group, "unit / group",
        {{"unit_mib", unit / (1024.0 * 1024.0)}, {"group", rank.dense_group}},
        "FSDP1: copied to the device before the unit is gathered", {.pool = MemoryPool::gather});
}

namespace {

/// Parameters of the largest matrix of an adapter.
double largest_adapter(const Rank& rank) {
    double largest = 0;
    for (const Block& block : rank.list) {
        for (const Operator& op : block.operators) {
            if (op.role == Role::adapter) {
                const double first = op.rows * op.columns;
                largest = std::max({largest, first, op.parameters - first});
            }
        }
    }
    return largest;
}

/// Pools of the two streams by which FSDP1 brings a unit from the host: gathered units, and the
/// shards that are copied before. The copy of the tables finds the place of the one before it taken
/// where adapters are units too large for the pool of small blocks.
double copying_buffers(const Rank& rank) {
    constexpr double small_block = 1024.0 * 1024.0;  // kSmallSize of CUDACachingAllocator
    const StageParameters& p = rank.parameters;
    const double unit = gathered_unit(rank);
    const double tables = !has_table_units(rank) ? p.tables * rank.compute : 0;
    const double shard = std::max(tables, unit) / rank.dense_group;
    const bool splits = largest_adapter(rank) * rank.adapter / rank.dense_group > small_block;
    return tables + std::min(rank.stage.layers, 2.0) * unit + (splits ? 2 : 1) * shard;
}

/// FSDP1's host issues a gather while two earlier units that were given back may still be read
/// (torch/distributed/fsdp/_limiter_utils.py); the root unit stays. The views of a unit are made on
/// the stream that gathers, on which autograd then makes its flat gradient: the root's, and the sum
/// of a tied table's gradients before, when the layers are done. What is kept wider than it is
/// gathered is cast before it is gathered and after it is reduced.
double limited_buffers(const Rank& rank) {
    constexpr double in_flight = 2;
    const StageParameters& p = rank.parameters;
    const double unit = gathered_unit(rank);
    const double layers = rank.stage.layers;
    const double tables = p.tables * rank.compute;
    const double computing = tables + std::min(layers, 1 + in_flight) * unit;
    const bool trains = p.table_trained > 0;
    const double flat = trains ? tables + p.shared_table * rank.compute : 0;
    const double last = tables + flat + std::min(layers, in_flight) * unit;
    const bool casts = rank.weight > rank.compute;
    const double shards = casts ? (computing + (trains ? tables : 0)) / rank.dense_group : 0;
    return std::max(computing, last) + shards;
}

double regathered_experts(const Rank& rank) {
    const bool units = rank.software().runtime.regathers_experts() && rank.plan().expert > 1 &&
                       uses_fsdp(rank) && !stays_gathered(rank);
    if (!units || rank.plan().recompute == RecomputeMode::none) {
        return 0;
    }
    const ExpertUnits experts = expert_units(rank);
    // Before the last layer's the loop finds the unit of the head.
    const bool head = rank.stage.last && has_table_units(rank);
    return experts.layers > 0 ? ((experts.layers - 1) * experts.parameters +
                                 (head ? rank.parameters.head_tables : 0)) *
                                    rank.compute
                              : 0;
}

}  // namespace

template <typename Ledger>
void add_regathered(Ledger& list, const Rank& rank) {
    add(list, "regathered experts", regathered_experts(rank),
        "((expert layers - 1) experts of a layer + head) bytes",
        {{"head_parameters", rank.parameters.head_tables}, {"bytes", rank.compute}},
        "FSDP2 before pytorch/pytorch#164009: gathered again after their backward pass",
        {.pool = MemoryPool::gather});
}

double gather_buffers(const Rank& rank) {
    if (copies_shards(rank)) {
        return copying_buffers(rank);
    }
    if (gathers_late(rank)) {
        return limited_buffers(rank);
    }
    if (!copies_units(rank)) {
        return 0;
    }
    // The next unit is gathered while the one before it is copied out: two layers, or the tables.
    // Beside it the rank's own shard in the type that is gathered.
    const StageParameters& p = rank.parameters;
    const bool root = !has_table_units(rank);
    const double tables = root ? p.tables : std::max(p.head_tables, p.tables - p.head_tables);
    const double embedding = rank.stage.first && !root ? p.tables - p.head_tables : 0;
    const double shard = 1 / rank.dense_group;
    const double buffers = std::max(tables * rank.compute, 2 * gathered_unit(rank)) * (1 + shard);
    const double again = regathered_experts(rank);
    // The embedding is gathered when the layers are done, and all that was gathered again is there.
    return std::max(buffers, again > 0 ? again + embedding * rank.compute * (1 + shard) : 0);
}

template void add_gathered(Components&, const Rank&, bool, bool);
template void add_gathered(Totals&, const Rank&, bool, bool);
template void add_next_gathered(Components&, const Rank&);
template void add_next_gathered(Totals&, const Rank&);
template void add_copied_shard(Components&, const Rank&, bool);
template void add_copied_shard(Totals&, const Rank&, bool);
template void add_regathered(Components&, const Rank&);
template void add_regathered(Totals&, const Rank&);

}  // namespace ridgeline
