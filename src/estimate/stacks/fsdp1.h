#pragma once

#include "estimate/stacks/rank.h"
#include "estimate/work/script.h"

namespace ridgeline {

/// Two steps of a run with FSDP1, or without sharding, on the computing stream: tensor by tensor
/// what wrapping moves, flattens and cuts, then the passes over the operators, the loss and the
/// optimizer. Segments that wrapping leaves serve the steps as far as their sizes fit.
///
/// library  of the BLAS workspaces, one for each pass
Script fsdp1_script(const Rank& rank, Bytes library);

}  // namespace ridgeline
