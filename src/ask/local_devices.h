#pragma once

#include "ask/world.h"
#include "base/result.h"
#include "data/local_machine.h"
#include "report/calibration_report.h"

namespace ridgeline::ask {

/// Where this machine is looked at: the real places, or what RIDGELINE_NVML (a library) and
/// RIDGELINE_SYSFS (a folder) name, which tests set.
LocalPlaces local_places();

/// The devices of this machine with their catalog entries.
report::DetectAnswer detected(const Catalog& catalog);

/// The accelerators of this machine that are alike, most of them first: what `local` means. Errors:
/// none is there, or the catalog knows none of them (exit 5, with the reasons).
struct LocalParts {
    const Accelerator* accelerator = nullptr;
    int count = 0;
};
Result<LocalParts> local_parts(const Catalog& catalog);

}  // namespace ridgeline::ask
