#pragma once

#include "base/result.h"
#include "cli/options.h"
#include "cli/world.h"
#include "spec/offer.h"
#include "spec/workload_document.h"

namespace ridgeline::cli {

/// `estimate --sweep FIELD=SIZES`: the workload at each size of one field.
///
/// errors  usage: a field or sizes that are none; input: nothing can run for a reason other than
/// size
Result<Answer> run_sweep(const CommonOptions& common,
                         const EstimateOptions& options,
                         const World& world,
                         const WorkloadDocument& document,
                         const Architecture& architecture,
                         const Cluster& cluster);

}  // namespace ridgeline::cli
