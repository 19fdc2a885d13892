#pragma once

#include "ask/request.h"
#include "base/result.h"

#include <string>
#include <variant>
#include <vector>

namespace ridgeline::cli {

/// Text that is printed as it is: help, the version, a completion script, a manual page.
struct HelpText {
    std::string text;
};

/// `__complete`: the words of a command line as far as it is typed.
struct UnfinishedLine {
    std::vector<std::string> words;
};

using Invocation = std::variant<ask::Request, HelpText, UnfinishedLine>;

/// Reads argv by the option table. Unknown commands and flags are usage errors that name the
/// nearest known one.
Result<Invocation> parse(int count, const char* const* arguments);

}  // namespace ridgeline::cli
