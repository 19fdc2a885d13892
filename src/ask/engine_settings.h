#pragma once

#include "ask/request.h"
#include "ask/world.h"

namespace ridgeline::ask {

/// The world with what a request says of the engine: --memory-fraction is the share of the card
/// that the named stack (every one where none is named) gives its cache and weights, or an engine
/// beside a trainer. Nothing: the request says nothing of it. errors  no share
Result<std::optional<World>> world_as_set(const World& world, const Request& request);

/// The request with the task that its framework leaves no choice of: a serving engine serves.
///
/// errors  a task or method that the framework does not do
Result<Request> with_task_of_framework(const World& world, const Request& request);

}  // namespace ridgeline::ask
