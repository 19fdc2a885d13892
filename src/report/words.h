#pragma once

#include "spec/words.h"

#include <string>

namespace ridgeline::report {

/// "12.3 %" of a share of 1.
std::string percent(double share);

}  // namespace ridgeline::report
