#pragma once

#include "estimate/input.h"
#include "estimate/results.h"
#include "estimate/work/program.h"

namespace ridgeline {

/// Peak of a program: what its networks hold all the time, what each forward pass keeps until its
/// backward pass, what that walk frees and makes block by block, and the optimizer. Inference: all
/// weights that are not offloaded, and the highest pass.
MemoryEstimate program_memory(const EstimateInput& input, const Program& program);

}  // namespace ridgeline
