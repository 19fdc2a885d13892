#pragma once

#include <string>
#include <string_view>

namespace ridgeline::ask {

/// The next day that words of a question mean, as "2027-03-15": "--03-15" is that day of this year
/// or the next, "friday" the next one, "end of month" the last of this month. A whole date stays as
/// it is; so does what is none of these.
///
/// today  "2026-11-26"
std::string next_day(std::string_view today, std::string_view told);

}  // namespace ridgeline::ask
