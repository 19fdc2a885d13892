#pragma once

#include "advise/answers/answer.h"
#include "advise/placement/placement.h"
#include "advise/reading/reading.h"
#include "spec/catalog.h"

namespace ridgeline {

/// Adds what a question asks beside a rate: work for each watt, what a lowered limit of power
/// leaves of it, and how a rate that was seen stands to the one expected.
void add_power_and_seen(const Reading& reading, const Placement& placement, const Catalog& catalog,
                        Answer& reply);
/// The time of a run, or its rate, at the share of the peak that the question reckons with, before
/// the one that is expected.
void lead_with_given_share(const Reading& reading, const Placement& placement, Answer& reply);
/// How a time of the whole that was seen stands to the one expected.
void add_seen_duration(const Reading& reading, const Placement& placement, Answer& reply);

}  // namespace ridgeline
