#pragma once

#include "estimate/input.h"
#include "estimate/time/listing.h"

#include <optional>
#include <vector>

namespace ridgeline {

/// The last micro-batch of a training step of one rank and the optimizer's step, event by event.
struct StepListing {
    std::vector<ListedEvent> events;  ///< begin: since the first of them
    double micro_batches = 1;         ///< of a step; all others take as long
    Seconds total;                    ///< until the last stream is done
    Seconds computing;                ///< of it, the computing stream
    Seconds exchanging;               ///< the other streams
    Seconds waited;                   ///< that the computing stream waited for them
};

/// Of the second step (the first makes the optimizer's states) of the fullest rank, on its streams:
/// kernels by the roofline, collectives by the links. What the script does not hold takes no time
/// here: launches that the device waits for, the optimizer's kernels. Nothing where no script is
/// written for the stack or the task. Precondition: check_plan passed.
std::optional<StepListing> step_listing(const EstimateInput& input);

}  // namespace ridgeline
