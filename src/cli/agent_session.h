#pragma once

#include "ask/world.h"
#include "base/result.h"

namespace ridgeline::cli {

/// Answers an agent over stdin and stdout, one JSON message a line, until stdin ends. A search
/// stops after five seconds with the best so far. errors  stdin or stdout fails
Result<void> serve_agent(const ask::World& world);

}  // namespace ridgeline::cli
