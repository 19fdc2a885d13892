#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include "estimate/block_memory.h"
#include "estimate/estimate.h"
#include "estimate/operator.h"
#include "estimate/stage.h"

namespace ridgeline {

/// What one rank of one stage holds, before instants are composed.
struct Rank {
    const EstimateInput& input;
    const OperatorList& list;
    Stage stage;
    StageParameters parameters;
    std::vector<BlockMemory> blocks;

    double dense_group = 1;   ///< ranks that share one copy of the dense states
    double expert_group = 1;
    double micro_batches = 1;

    // Per-parameter bytes.
    double weight = 2;
    double gradient = 2;
    double compute = 2;
    double adapter = 4;

    [[nodiscard]] const Workload& workload() const { return input.workload; }
    [[nodiscard]] const SoftwareProfile& software() const { return input.software; }
    [[nodiscard]] const Plan& plan() const { return input.workload.plan; }
    [[nodiscard]] double dense(bool sharded) const { return sharded ? dense_group : 1; }
    [[nodiscard]] double expert(bool sharded) const { return sharded ? expert_group : 1; }
    [[nodiscard]] double trained() const {
        return parameters.trained_dense + parameters.trained_expert + parameters.adapters;
    }
    /// Bytes of `bytes` for every trained parameter, divided where sharded.
    [[nodiscard]] double trained_bytes(double base, double adapters, bool sharded) const {
        return parameters.trained_dense * base / dense(sharded) +
               parameters.trained_expert * base / expert(sharded) +
               parameters.adapters * adapters / dense(sharded);
    }
};

using Components = std::vector<Component>;

bool shards_weights(Sharding sharding);
bool shards_gradients(Sharding sharding);
bool shards_states(Sharding sharding);

/// Appends a component of `bytes` bytes in the pool of the computing stream; nothing (and null)
/// when there are none.
Component* add(Components& list,
         std::string_view name,
         double bytes,
         std::string_view formula,
         std::initializer_list<FormulaInput> inputs,
         std::string_view source = {});

void add_weights(Components& list, const Rank& rank);
/// With FSDP under a pipeline the reduce-scatter waits for the last micro-batch: the gradients of the
/// stage stay whole, in the type that they are reduced in.
bool whole_gradients(const Rank& rank);
/// Bytes of all gradients of the rank once they exist.
double gradient_bytes(const Rank& rank);
/// share    of the gradients that exist at this instant
/// reduced  the backward pass is over: FSDP has sharded them
void add_gradients(Components& list, const Rank& rank, double share, bool reduced = false);
void add_states(Components& list, const Rank& rank);
void add_framework_buffers(Components& list, const Rank& rank);
/// Unsharded parameters that FSDP or ZeRO-3 holds while a unit computes.
///
/// computing   a layer computes (else only what is prefetched for the next is there)
/// table_unit  the unit of the head is gathered at this instant
void add_gathered(Components& list, const Rank& rank, bool computing, bool table_unit);
/// Most bytes that a gathering stream's buffers take at once over the step, beside what
/// add_gathered puts into its pool.
double gather_buffers(const Rank& rank);

}  // namespace ridgeline
