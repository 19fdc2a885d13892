#pragma once

#include "advise/search.h"

namespace ridgeline {

/// The rejection by a deadline, by targets of a service, or by a run so long that nobody plans it;
/// an empty reason when all of them hold.
Rejection time_limit(const Search& search,
                     const Candidate& candidate,
                     int count,
                     const TimeEstimate& time);

/// Whether the operations alone take too long at the dense peak, which no plan beats.
///
/// days  how long they take then
bool certainly_late(const Search& search,
                    const Candidate& candidate,
                    const Workload& workload,
                    int count,
                    double& days);

}  // namespace ridgeline
