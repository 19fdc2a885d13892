#pragma once

#include "base/quantity.h"
#include "spec/calibration.h"

#include <string_view>

namespace ridgeline {

struct EstimateInput;
struct TimeEstimate;

/// What a run of stated length takes beyond its steps.
struct LongRun {
    Seconds steps;  ///< training steps alone
    Seconds evaluation;
    Seconds checkpoints;  ///< writes that hold the steps up
    Seconds restarts;     ///< faults found, nodes replaced, work done again
    Seconds total;        ///< all four
    Seconds low, high;    ///< range of the total
    Bytes checkpoint;     ///< size of one
    Seconds checkpoint_write;
    Seconds checkpoint_interval;    ///< the one that loses least (Young 1974, Daly 2006)
    Seconds between_interruptions;  ///< of the whole cluster, on average
    double interruptions = 0;       ///< expected in the run
    double goodput = 1;             ///< share of the total in which steps advance
    bool spot = false;              ///< on instances that may be taken away
    Tier tier = Tier::assumed;
    std::string_view source;  ///< into the Calibration
};

/// Interval between checkpoints that loses least: sqrt(2 w M) - w, at least w, for a write of w and
/// a mean time of M between interruptions.
///
/// source  Daly 2006, "A higher order estimate of the optimum checkpoint interval", equation 8
Seconds best_checkpoint_interval(Seconds write, Seconds between_interruptions);

/// Expected time to do `work` with interruptions at random times, checkpoints at `interval`:
/// M e^(R/M) (e^((T + w)/M) - 1) work / T.
///
/// source  Daly 2006, equation 20; without interruptions work (1 + w / T)
Seconds time_with_interruptions(
    Seconds work, Seconds interval, Seconds write, Seconds restart, Seconds between_interruptions);

/// Bytes that a checkpoint holds: weights, master weights and optimizer state of what trains.
Bytes checkpoint_size(const EstimateInput& input);

/// The run of `steps` seconds of steps. `band` widens it by the range of the step time.
///
/// spot  the instances may be taken away: their interruptions add to the faults
LongRun long_run(const EstimateInput& input, const TimeEstimate& time, Seconds steps, bool spot);

/// Replaces the total of a time estimate that has a length by that of the long run; leaves others.
void add_long_run(const EstimateInput& input, bool spot, TimeEstimate& time);

}  // namespace ridgeline
