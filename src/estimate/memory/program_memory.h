#pragma once

#include "estimate/input.h"
#include "estimate/results.h"
#include "estimate/work/program.h"
#include "estimate/work/script.h"

#include <optional>

namespace ridgeline {

/// Peak of a program: what its networks hold all the time, what each forward pass keeps until its
/// backward pass, what that walk frees and makes block by block, and the optimizer. Inference: all
/// weights that are not offloaded, and the highest pass.
MemoryEstimate program_memory(const EstimateInput& input, const Program& program);

/// Two training steps of a program as the allocator sees them; nothing where no script is written for
/// its networks or its plan. Points into `program`.
std::optional<Script> program_script(const EstimateInput& input, const Program& program);

}  // namespace ridgeline
