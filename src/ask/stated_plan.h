#pragma once

#include "advise/query.h"
#include "base/result.h"
#include "spec/architecture.h"

namespace ridgeline::ask {

/// Whether the sizes of a plan that a query states can be had at all, and on its number of
/// accelerators. errors  the flag, its value and what contradicts it
Result<void> stated_plan_runs(const Architecture& architecture, const Query& query);

}  // namespace ridgeline::ask
