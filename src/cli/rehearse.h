#pragma once

#include "ask/request.h"
#include "ask/world.h"
#include "base/result.h"

namespace ridgeline::cli {

/// Runs the command after "--" (option `command`) on stand-in cards and says what fits.
Result<ask::Reply> rehearse(const ask::World& world, const ask::Request& request);

}  // namespace ridgeline::cli
