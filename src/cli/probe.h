#pragma once

#include "ask/request.h"
#include "ask/world.h"
#include "base/result.h"

namespace ridgeline::cli {

/// Measures this machine with the plug-in of a backend; the calibration is a file of the reply.
Result<ask::Reply> probe(const ask::World& world, const ask::Request& request);

}  // namespace ridgeline::cli
