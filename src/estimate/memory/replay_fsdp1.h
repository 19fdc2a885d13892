#pragma once

#include "estimate/memory/rank.h"

namespace ridgeline {

/// Whether the rank's run is one that `replayed_pool` follows: its stack asks for it, samples are
/// of one length, and there is no pipeline.
bool replays(const Rank& rank);

/// Bytes that the caching allocator holds after two steps. With FSDP1 of the computing stream
/// alone: tensor by tensor what wrapping moves, flattens and cuts, then the passes over the
/// operators, the loss and the optimizer. Segments that wrapping leaves serve the steps as far as
/// their sizes fit. With FSDP2 (estimate/memory/replay_fsdp2.h) of every stream.
///
/// library  bytes of the BLAS library's workspaces, one for each pass
/// limit    bytes of the card that the computing stream's pool may take
PoolBytes replayed_pools(const Rank& rank, double library, double limit);

}  // namespace ridgeline
