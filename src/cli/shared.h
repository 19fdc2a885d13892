#pragma once

#include "cli/commands.h"
#include "cli/world.h"

namespace ridgeline::cli {

/// Several workload files on the same accelerators: `estimate A.json B.json --on ...`.
///
/// errors those of each file, and of its estimate there
Result<Answer> run_shared(const CommonOptions& common,
                          const EstimateOptions& options,
                          const World& world,
                          const Cluster& cluster);

}  // namespace ridgeline::cli
