#pragma once

#include "advise/reading/reading.h"

#include <optional>
#include <string>

namespace ridgeline {

/// The hours of each day that a run has alone; nothing: all of them. A share of the time ("60 % of
/// the day") is how busy hardware is, not when a run may have it.
inline std::optional<double> hours_of_run(const Reading& reading) {
    const AssumedField* assumed = assumed_of(reading, "hours_per_day");
    const bool share = assumed != nullptr && assumed->why.find("% of the day") != std::string::npos;
    const double hours = reading.hours_per_day.value_or(24);
    return share || hours <= 0 || hours >= 24 ? std::nullopt : std::optional(hours);
}

}  // namespace ridgeline
