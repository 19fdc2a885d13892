#pragma once

#include "advise/answers/answer.h"
#include "advise/placement/placement.h"
#include "advise/reading/reading.h"
#include "spec/catalog.h"

namespace ridgeline {

/// Adds what a question asks beside a rate: work for each watt, and how a rate that was seen stands
/// to the one expected.
void add_power_and_seen(const Reading& reading, const Placement& placement, Answer& reply);
/// What a lowered limit of power leaves of a part's speed, a sentence; empty: it is no limit.
std::string cap_words(double watts, const Accelerator& part, const Catalog& catalog);
/// The time of a run, or its rate, at the share of the peak that the question reckons with, before
/// the one that is expected.
void lead_with_given_share(const Reading& reading, const Placement& placement, Answer& reply);
/// How a time of the whole that was seen stands to the one expected.
void add_seen_duration(const Reading& reading, const Placement& placement, Answer& reply);

}  // namespace ridgeline
