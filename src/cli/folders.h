#pragma once

#include "base/result.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace ridgeline::cli {

/// Where catalog/, profiles/ or page/ lies: the option, the environment variable, beside the
/// installed program, else the source tree that the program was built from.
///
/// name  "catalog", "profiles" or "page"
Result<std::filesystem::path> find_folder(const std::string& option, std::string_view name);

/// "ridgeline" below the folder that an XDG variable names, else below `otherwise` in the home
/// folder; empty when neither is known.
std::filesystem::path user_folder(const char* variable, std::string_view otherwise);

/// XDG_CONFIG_HOME/ridgeline/calibration, else ~/.config/ridgeline/calibration; empty when neither
/// variable is set. What lies there counts for every answer.
std::filesystem::path user_calibration_folder();

}  // namespace ridgeline::cli
