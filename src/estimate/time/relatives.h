#pragma once

#include "spec/accelerator.h"
#include "spec/calibration.h"

#include <string_view>

namespace ridgeline {

/// Modules and cards of this name share no silicon: 10 and 12 are their compute capabilities.
bool is_module_of_blackwell(const Accelerator& part);

/// Kernels of a class that nobody measured on an architecture reach what they reach on the nearest
/// older one of its maker, so that no part is better or worse than its relatives for want of rows.
/// Products reach like shares on every part, which rows for any part say; lone kernels of science
/// are left as they are.
std::string_view measured_architecture(const Calibration& calibration, const Accelerator& part,
                                       OperatorClass of);

}  // namespace ridgeline
