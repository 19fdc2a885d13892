#pragma once

#include "ask/option_table.h"

#include <string>

namespace ridgeline::ask {

/// The options of a command as a JSON Schema (2020-12) in one line: an object with a property an
/// option, which forms, agents and typed interfaces are made from. What only a command line may say
/// (paths, colours) is left out; where a workload may be stated, `workload` takes its document.
std::string input_schema(Command command);

}  // namespace ridgeline::ask
