#pragma once

#include "estimate/stacks/rank.h"
#include "estimate/work/script.h"

#include <optional>

namespace ridgeline {

/// What two steps of a training run do on one rank; nothing where no stack writes it: several
/// towers, a pipeline, activations on the host.
///
/// library  of the BLAS workspaces
std::optional<Script> step_script(const Rank& rank, Bytes library);

}  // namespace ridgeline
