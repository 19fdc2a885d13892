#pragma once

#include "base/result.h"
#include "cli/world.h"

#include <filesystem>
#include <string>
#include <vector>

namespace ridgeline::cli {

/// XDG_CONFIG_HOME/ridgeline/calibration, else ~/.config/ridgeline/calibration; empty when neither
/// variable is set. What lies there counts for every answer.
std::filesystem::path user_calibration_folder();

/// The JSON files of that folder, sorted.
std::vector<std::filesystem::path> user_calibration_files();

/// Adds the calibrations of the user's folder and those given by --calibration to what answers rest
/// on, and a measured CPU to the catalog. A file of --calibration that does not hold is an error;
/// one of the folder is left out, and a note says why.
Result<void> add_calibrations(World& world, const std::vector<std::string>& given);

}  // namespace ridgeline::cli
