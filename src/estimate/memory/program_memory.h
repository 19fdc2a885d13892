#pragma once

#include "estimate/input.h"
#include "estimate/results.h"
#include "estimate/work/program.h"
#include "estimate/work/script.h"

#include <memory>

namespace ridgeline {

/// The program of the input; of inputs that keep replayed steps it is kept, too.
std::shared_ptr<const Program> listed_program(const EstimateInput& input);

/// Peak of a program: its script's tensors while it loads and in its last step. Where the input
/// keeps replayed steps, the program is written only once for all parts.
MemoryEstimate program_memory(const EstimateInput& input);

/// Whether answers come from a stack that leaves to the host what the device has no room for, over
/// a link that is known.
bool streams_weights(const EstimateInput& input);

/// The same of a program that is at hand.
MemoryEstimate program_memory(const EstimateInput& input, const Program& program);

/// Two steps of a program as the allocator sees them (network_script). Points into `program`.
///
/// runs  whether kernels are written, too
Script program_script(const EstimateInput& input, const Program& program, bool runs = true);

}  // namespace ridgeline
