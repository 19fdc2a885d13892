#pragma once

#include "estimate/input.h"
#include "estimate/work/program.h"
#include "estimate/work/script.h"

#include <optional>

namespace ridgeline {

/// What two steps of a program do to one device, tensor by tensor, as PyTorch makes and frees them
/// in a plain loop (or one pass after another where nothing trains). Nothing where ranks share
/// states or tables, or a part of the blocks is computed again.
///
/// workspace  bytes that the BLAS library takes for a handle (torch_workspaces / 2)
std::optional<Script> network_script(const EstimateInput& input,
                                     const Program& program,
                                     double workspace);

}  // namespace ridgeline
