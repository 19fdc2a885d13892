#pragma once

#include "ask/world.h"
#include "base/result.h"

#include <vector>

namespace ridgeline::ask {

/// Adds a calibration file to what answers rest on, and a measured CPU to the catalog.
Result<void> add_calibration(World& world, const TreePath& path);

/// Adds calibrations of the user's folder and those named: one that was named and does not hold is
/// an error; one of the folder is left out, and a note says why.
Result<void> add_calibrations(World& world, const TreePath& own,
                              const std::vector<TreePath>& given);

}  // namespace ridgeline::ask
