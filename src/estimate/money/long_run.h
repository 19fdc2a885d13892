#pragma once

#include "base/quantity.h"
#include "estimate/input.h"
#include "estimate/results.h"

namespace ridgeline {

/// Interval between checkpoints that loses least: sqrt(2 w M) - w, at least w, for a write of w and
/// a mean time of M between interruptions.
///
/// source  Daly 2006, "A higher order estimate of the optimum checkpoint interval", equation 8
Seconds best_checkpoint_interval(Seconds write, Seconds between_interruptions);

/// Expected time to do `work` with interruptions at random times, checkpoints at `interval`:
/// M e^(R/M) (e^((T + w)/M) - 1) work / T.
///
/// source  Daly 2006, equation 20; without interruptions work (1 + w / T)
Seconds time_with_interruptions(Seconds work, Seconds interval, Seconds write, Seconds restart,
                                Seconds between_interruptions);

/// Bytes that a checkpoint holds: weights, master weights and optimizer state of what trains.
Bytes checkpoint_size(const EstimateInput& input);

/// The run of `steps` seconds of steps. `band` widens it by the range of the step time.
///
/// spot  the instances may be taken away: their interruptions add to the faults
LongRun long_run(const EstimateInput& input, const TimeEstimate& time, Seconds steps, bool spot);

/// Replaces the total of a time estimate that has a length by that of the long run; leaves others.
void add_long_run(const EstimateInput& input, bool spot, TimeEstimate& time);

}  // namespace ridgeline
