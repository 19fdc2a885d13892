#pragma once

#include "base/result.h"

#include <string>

namespace ridgeline::cli {

/// The script that makes a shell ask `ridgeline __complete`: bash, zsh or fish. errors  another
/// shell
Result<std::string> completion_script(const std::string& shell);

}  // namespace ridgeline::cli
