#pragma once

#include "advise/validation/sharing.h"
#include "report/report.h"

namespace ridgeline::report {

/// Several workloads on the same accelerators: memory, share of the time, MIG slices.
std::string sharing_text(const SharedCard& card, const Style& style);
std::string sharing_json(const SharedCard& card, const Stamp& stamp);

}  // namespace ridgeline::report
