#pragma once

#include <string>
#include <variant>

#include "base/result.h"
#include "cli/options.h"

namespace ridgeline::cli {

/// Text that --help or --version asks for.
struct HelpText {
    std::string text;
};

/// Reads argv. Unknown commands and flags are usage errors that name the nearest known one.
Result<std::variant<Invocation, HelpText>> parse(int count, const char* const* arguments);

}  // namespace ridgeline::cli
