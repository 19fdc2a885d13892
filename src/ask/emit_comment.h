#pragma once

#include "advise/placement/placement.h"
#include "ask/request.h"
#include "ask/world.h"

#include <map>
#include <string>
#include <vector>

namespace ridgeline::ask {

/// Lines of the first comment of an emitted file: the question as flags, the predicted peak, time
/// and rent with their ranges. `options` are those of the resolved workload.
std::vector<std::string> comment_of(const World& world, const Request& request,
                                    const Placement& placed,
                                    const std::map<std::string, std::string>& options);

}  // namespace ridgeline::ask
