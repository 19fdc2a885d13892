#pragma once

#include "ask/request.h"
#include "ask/world.h"

namespace ridgeline::ask {

/// A request that names a command of the table, whose options exist and have words that they know;
/// with what the options say of its style. errors  as `ask`
Result<Request> checked(const Request& request);

/// Answers a request; every front asks here. Threads may share the world.
///
/// errors  what the command says of its input; an unknown command or option, with the nearest word
Result<Reply> ask(const World& world, const Request& request);

}  // namespace ridgeline::ask
