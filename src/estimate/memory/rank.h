#pragma once

#include "estimate/input.h"
#include "estimate/results.h"
#include "estimate/stacks/rank.h"
#include "estimate/work/operator.h"

#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

namespace ridgeline {

/// The parts of an instant, for an answer that shows them.
using Components = std::vector<Component>;

/// The sums of an instant alone, for a search that compares many plans. Every fold below is written
/// once for both ledgers, so that a plan's totals are those of its estimate.
struct Totals {
    Fragmentation fragmentation;
    double total = 0;
    PoolBytes pools{};
};

/// Whether a component of this name comes and goes within the step.
constexpr Churn churn_of(std::string_view name) {
    if (name.starts_with("loss")) {
        return Churn::loss;
    }
    const bool layers = name.starts_with("activations") || name.starts_with("gathered layers") ||
                        name.starts_with("unsharded") || name == "recomputed layer" ||
                        name == "backward transient";
    return layers ? Churn::layers : Churn::none;
}

/// The name of a component with what it says, which is read when the program is compiled: a search
/// adds up some hundred thousand components.
struct ComponentName {
    std::string_view text;
    Churn churn;
    consteval ComponentName(const char* name) : text(name), churn(churn_of(name)) {}
};

/// How the allocator holds a component.
struct Held {
    MemoryPool pool = MemoryPool::compute;
    std::optional<Churn> churn{};  ///< empty: as its name says
};

/// Bytes that a pool needs for a component. Fragments are those of the computing stream; the
/// buffers of the other streams are of few sizes.
constexpr double pool_bytes(double bytes, Churn churn, MemoryPool pool,
                            Fragmentation fragmentation) {
    if (pool != MemoryPool::compute || churn == Churn::none) {
        return bytes;
    }
    return bytes * (1 + (churn == Churn::loss ? fragmentation.loss : fragmentation.layers));
}

/// Appends a component of `bytes` bytes; nothing when there are none.
void add(Components& list, ComponentName name, double bytes, std::string_view formula,
         std::initializer_list<FormulaInput> inputs, std::string_view source = {}, Held held = {});
[[gnu::always_inline]] inline void add(Totals& sums, ComponentName name, double bytes,
                                       std::string_view /*formula*/,
                                       std::initializer_list<FormulaInput> /*inputs*/,
                                       std::string_view /*source*/ = {}, Held held = {}) {
    if (bytes > 0) {
        sums.total += bytes;
        sums.pools[static_cast<std::size_t>(held.pool)] +=
            pool_bytes(bytes, held.churn.value_or(name.churn), held.pool, sums.fragmentation);
    }
}

/// Bytes of the quantised weights that a sharded rank holds whole: scales, where FSDP knows the
/// packed weight alone as a parameter.
double whole_scales(const Rank& rank);

// The folds below are instantiated for Components and for Totals.

template <typename Ledger>
void add_weights(Ledger& list, const Rank& rank);
/// Sharded gradients and states that wait on the host.
bool waits_on_host(const Rank& rank);
/// With FSDP under a pipeline, or under no_sync, the reduce-scatter waits for the last micro-batch:
/// the gradients of the stage stay whole, in the type that they are reduced in.
bool whole_gradients(const Rank& rank);
/// Bytes of all gradients of the rank once they exist.
double gradient_bytes(const Rank& rank);
/// share    of the gradients that exist at this instant
/// reduced  the backward pass is over: FSDP has sharded them
template <typename Ledger>
void add_gradients(Ledger& list, const Rank& rank, double share, bool reduced = false);
template <typename Ledger>
void add_states(Ledger& list, const Rank& rank);
template <typename Ledger>
void add_framework_buffers(Ledger& list, const Rank& rank);
/// Unsharded parameters that FSDP or ZeRO-3 holds while a unit computes.
///
/// computing   a layer computes (else only what is prefetched for the next is there)
/// table_unit  the unit of the head is gathered at this instant
template <typename Ledger>
void add_gathered(Ledger& list, const Rank& rank, bool computing, bool table_unit);
/// Units of experts that FSDP2 gathers once more while layers are computed again, and that nothing
/// reads: there when the layers have run back (SoftwareProfile::regathers_experts).
template <typename Ledger>
void add_regathered(Ledger& list, const Rank& rank);
/// What a torch pipeline holds beside the activations that the layers keep.
///
/// boundary  bytes of the tensor between two stages, one micro-batch
template <typename Ledger>
void add_pipeline_buffers(Ledger& list, const Rank& rank, double boundary);
/// FSDP1 whose units are layers and, within them, the matrices of adapters.
bool wraps_adapters(const Rank& rank);
/// Adds the layer that is gathered after the one that has just computed.
template <typename Ledger>
void add_next_gathered(Ledger& list, const Rank& rank);
/// FSDP1 with parameters on the host copies a unit's shard to the device before it gathers it.
bool copies_shards(const Rank& rank);
/// Adds that shard: of the tables, or of a layer.
template <typename Ledger>
void add_copied_shard(Ledger& list, const Rank& rank, bool tables);
/// Elements of a gradient of the embedding that cover the vocabulary of the other tensor ranks.
double rest_of_table(const Rank& rank);
/// Most bytes that a gathering stream's buffers take at once over the step, beside what
/// add_gathered puts into its pool.
double gather_buffers(const Rank& rank);

}  // namespace ridgeline
