#pragma once

#include "ask/request.h"
#include "ask/world.h"
#include "spec/rehearsal.h"

namespace ridgeline::ask {

/// What the formulas say of the workload file that `rehearse --workload` names, on the card that
/// the script was rehearsed on, kind by kind beside what was alive at the rehearsed peak.
///
/// errors  those of `estimate` with that workload
Result<FormulaDifference> difference_to_formulas(const World& world, const Request& request,
                                                 const Rehearsal& rehearsal,
                                                 const Cluster& cluster);

}  // namespace ridgeline::ask
