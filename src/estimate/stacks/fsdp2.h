#pragma once

#include "estimate/stacks/rank.h"
#include "estimate/work/script.h"

namespace ridgeline {

/// Two steps of a run with FSDP2. Computing stream: shards, the units as they are copied out, the
/// passes over the operators with what is kept and computed again, the inputs of the reductions,
/// and the moments that the first optimizer step makes in the holes that the first passes left.
/// Gathering: the shard in the compute type and the gathered unit. Reducing: the sharded gradients.
///
/// library  of the BLAS workspaces
Script fsdp2_script(const Rank& rank, Bytes library);

}  // namespace ridgeline
