#pragma once

#include "estimate/memory/rank.h"

namespace ridgeline {

/// Bytes that the caching allocator holds after two steps with FSDP2, by pool: each stream has its
/// own. Computing: shards, the units as they are copied out, the passes over the operators with
/// what is kept and computed again, the inputs of the reductions, and the moments that the first
/// optimizer step makes in the holes that the first passes left. Gathering: the shard in the
/// compute type and the gathered unit. Reducing: the sharded gradients.
///
/// library  bytes of the BLAS workspace
PoolBytes replayed_fsdp2(const Rank& rank, double library);

}  // namespace ridgeline
