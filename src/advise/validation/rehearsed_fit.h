#pragma once

#include "spec/calibration.h"
#include "spec/machine.h"
#include "spec/rehearsal.h"

#include <string>

namespace ridgeline {

/// Whether a rehearsed script fits: `yes` when the card refused nothing, `barely` when it fits only
/// after torch gave unused blocks back, or only with expandable segments; else `no`.
RehearsedFit rehearsed_fit(const Rehearsal& rehearsal);

/// What would free the memory that lacks, a sentence; empty where nothing lacks.
std::string rehearsed_remedy(const Rehearsal& rehearsal);

/// Of a card's memory, what stands beside torch's allocator: the context, and the buffers of NCCL
/// with several cards, as the calibration has them. Zero where it knows neither.
Bytes context_of(const Calibration& calibration, const Cluster& cluster);

}  // namespace ridgeline
