#pragma once

#include "spec/rehearsal.h"

#include <string>

namespace ridgeline {

/// Whether a rehearsed script fits: `yes` when the card refused nothing, `barely` when it fits only
/// after torch gave unused blocks back, or only with expandable segments; else `no`.
RehearsedFit rehearsed_fit(const Rehearsal& rehearsal);

/// What would free the memory that lacks, a sentence; empty where nothing lacks.
std::string rehearsed_remedy(const Rehearsal& rehearsal);

}  // namespace ridgeline
