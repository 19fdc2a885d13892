#pragma once

#include "spec/architecture.h"

#include <string>
#include <vector>

namespace ridgeline {

/// Adds the names of the products of a layer with a state that adapters reach. Mamba's and
/// Mamba-2's kernels read all weights but those of the first product themselves (PEFT refuses
/// "out_proj" of these models).
void add_state_names(std::vector<std::string>& names, const StateMixer& mixer);

}  // namespace ridgeline
