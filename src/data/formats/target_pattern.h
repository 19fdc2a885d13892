#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridgeline {

/// Whether targets of adapters are told as a regular expression over names of modules, as PEFT
/// takes it.
bool is_target_pattern(std::string_view targets);

/// The projections that names can end with to match: "q_proj" and "up_proj" of ".*\.(q|up)_proj",
/// with the module that they stand in where the expression tells it: "mlp.up_proj" of
/// ".*\.mlp\.up_proj". The expression is not run, which a hostile one could make long; nothing for
/// one of another form.
std::vector<std::string> projections_of(std::string_view pattern);

}  // namespace ridgeline
