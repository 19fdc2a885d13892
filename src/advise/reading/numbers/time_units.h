#pragma once

#include <string_view>

namespace ridgeline::reading {

/// A unit of time in seconds, a month as 30 days; 0: the word is none.
double seconds_of(std::string_view unit);

}  // namespace ridgeline::reading
