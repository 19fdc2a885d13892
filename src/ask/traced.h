#pragma once

#include "ask/request.h"
#include "ask/world.h"
#include "spec/operator_trace.h"

namespace ridgeline::ask {

/// `estimate --trace FILE --on HARDWARE`: how long the step that ran takes there.
Result<Reply> answer_trace(const World& world, const Request& request);

/// `advise --rehearsed FILE`: the cards that the rehearsed script fits, by price of a step.
Result<Reply> answer_rehearsed(const World& world, const Request& request);

/// Time of a step that ran on a cluster; the trace has no measured durations.
TimeEstimate time_of_step(const World& world, const OperatorTrace& trace, const Cluster& cluster);

}  // namespace ridgeline::ask
