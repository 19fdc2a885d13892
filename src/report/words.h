#pragma once

#include <string>
#include <string_view>

#include "spec/calibration.h"
#include "spec/offer.h"

namespace ridgeline::report {

/// "measured", "published", ...
std::string_view word_of(Tier tier);

/// "12.3 %" of a share of 1.
std::string percent(double share);

}  // namespace ridgeline::report
