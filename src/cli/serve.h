#pragma once

#include "ask/request.h"
#include "ask/world.h"
#include "base/result.h"

namespace ridgeline::cli {

/// `serve`: answers until it is told to end (SIGTERM, Ctrl-C); says on stdout where it listens.
/// errors  the address, the port or the token file cannot be used
Result<ask::Reply> serve(const ask::World& world, const ask::WorldPlaces& places,
                         const ask::Request& request);

}  // namespace ridgeline::cli
