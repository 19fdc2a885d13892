#pragma once

#include "advise/placement/placement.h"
#include "ask/world.h"
#include "data/formats/write_config.h"

#include <map>
#include <string>

namespace ridgeline::ask {

/// Options of the resolved workload, and what formats ask for beside them ("@length": tokens of the
/// longest request, "@per-node": accelerators).
std::map<std::string, std::string> facts_of(const World& world, const Placement& placed,
                                            const PublishedModel& published);

}  // namespace ridgeline::ask
