#pragma once

#include "base/result.h"
#include "spec/architecture.h"

#include <string>
#include <vector>

namespace ridgeline {

/// Names of the projections of the text stack that adapters attach to with "all-linear", as the
/// operator list calls them.
std::vector<std::string> linear_names(const Architecture& architecture);

/// Target names as the operator list knows them: "all-linear" is expanded, fused projections
/// ("qkv_proj", "gate_up_proj", "linear_fc1") become their parts, names of other families their
/// equivalents ("query", "fc1"). A known name that this model lacks is left out (a gate of a plain
/// feed-forward part). Where a target tells the module, as PEFT's paths do, only the parts in that
/// module are meant: "mlp.q_proj" is nothing, "mlp.up_proj" none of the experts.
///
/// errors  a name that no family has (with the nearest), or nothing left
Result<std::vector<std::string>> expand_targets(const Architecture& architecture,
                                                const std::vector<std::string>& targets);

}  // namespace ridgeline
