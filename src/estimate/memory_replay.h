#pragma once

#include "estimate/memory_parts.h"

namespace ridgeline {

/// Whether the rank's run is one that `replayed_pool` follows: its stack asks for it, samples are
/// of one length, and there is no pipeline.
bool replays(const Rank& rank);

/// Bytes that the caching allocator holds for the computing stream after two steps: tensor by
/// tensor what wrapping with FSDP1 moves, flattens and cuts, then the passes over the operators,
/// the loss and the optimizer. Segments that wrapping leaves serve the steps as far as their sizes
/// fit.
///
/// library  bytes of the BLAS library's workspaces, one for each pass
/// limit    bytes of the card that this pool may take
double replayed_pool(const Rank& rank, double library, double limit);

}  // namespace ridgeline
