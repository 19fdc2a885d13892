#pragma once

#include "base/result.h"
#include "data/reader.h"
#include "spec/catalog.h"

#include <vector>

// Readers of the single kinds of profile file, shared by the loaders of src/data.

namespace ridgeline {

/// Profiles of the named files with inheritance applied, sorted by id. A cycle, an unknown parent
/// and a profile without sources are errors.
Result<std::vector<SoftwareProfile>> read_software_profiles(const std::vector<TreePath>& files);

/// The parts of a software profile that the document has; what it does not say keeps the value that
/// `profile` inherited.
void read_software_parts(Reader& document, SoftwareProfile& profile);

/// What it states of the chips that it runs on, of no release apart.
void read_chips(Reader& document, ChipSupport& chips);

/// One kind of work (`ridgeline/workload-profile/1`).
WorkloadProfile read_workload_profile(Reader& document);

/// One calibration document (`ridgeline/calibration/1`), appended to `calibration`.
void read_calibration(Reader& document, Calibration& calibration);

}  // namespace ridgeline
