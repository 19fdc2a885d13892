#pragma once

#include "ask/request.h"
#include "ask/world.h"
#include "base/result.h"
#include "spec/offer.h"
#include "spec/workload_document.h"

namespace ridgeline::ask {

/// `estimate --sweep FIELD=SIZES`: the workload at each size of one field.
///
/// errors  usage: a field or sizes that are none; input: nothing can run for a reason other than
/// size
Result<Reply> run_sweep(const Request& request, const World& world,
                        const WorkloadDocument& document, const Architecture& architecture,
                        const Cluster& cluster);

}  // namespace ridgeline::ask
