#pragma once

#include "ask/imports.h"
#include "ask/request.h"
#include "ask/world.h"

#include <vector>

namespace ridgeline::ask {

/// The request once for each run that its files describe, in their order. A file that names another
/// belongs to the same run; so does one that names no model, where only one run is left that it may
/// complete (an accelerate or DeepSpeed configuration beside a trainer's). One that may complete
/// several stands alone, so that the missing model is told of it. So does one that cannot be read
/// and that no other names: its error is its own, and the others are judged.
std::vector<Request> runs_of(const Request& request, const std::vector<FormatTable>& formats);

/// What the front shows of the replies of several runs: one after the other, or one JSON document
/// of them; the exit code is the worst.
Reply reply_of_runs(const std::vector<Request>& runs, const std::vector<Result<Reply>>& replies,
                    const report::Stamp& stamp);

}  // namespace ridgeline::ask
