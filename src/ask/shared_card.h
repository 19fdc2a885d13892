#pragma once

#include "ask/commands.h"
#include "ask/world.h"

namespace ridgeline::ask {

/// Several workload files on the same accelerators: `estimate A.json B.json --on ...`.
///
/// errors those of each file, and of its estimate there
Result<Reply> run_shared(const Request& request, const World& world, const Cluster& cluster);

}  // namespace ridgeline::ask
