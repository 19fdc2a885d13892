#pragma once

#include "estimate/memory/rank.h"

#include <vector>

namespace ridgeline {

/// The instants of a step at which one rank's memory may peak, in their order, with their
/// components.
std::vector<Instant> instants_of(const Rank& rank);

/// Of the same instants the highest total and the highest of each allocator pool, without a list.
Totals highest_totals(const Rank& rank, const Fragmentation& fragmentation);

/// Bytes that live through the whole step: weights, states, the framework's buffers.
double resident_bytes(const Rank& rank);
/// Bytes that the layers keep for the backward pass at the end of the forward pass.
double activation_bytes(const Rank& rank);
/// Bytes that the plan has moved to the memory of the host.
double host_bytes(const Rank& rank);

}  // namespace ridgeline
