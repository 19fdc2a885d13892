#pragma once

#include <string>

namespace ridgeline {

/// "85.1 min (65.6 to 111)": seconds and the ends of their range, all in the unit of the first; in
/// a range of more than a thousandfold each in its own.
std::string format_duration_range(double seconds, double low, double high);

}  // namespace ridgeline
