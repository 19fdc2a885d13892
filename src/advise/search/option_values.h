#pragma once

#include "advise/advice.h"

#include <optional>

namespace ridgeline {

// What options are ordered by; nothing where it is unknown.

/// Seconds of the run, or of a million units of work where it has no length.
std::optional<double> time_value(const Option& option);
/// Dollars of rent of the same.
std::optional<double> cost_value(const Option& option);
/// Dollars of rent an hour.
std::optional<double> rent_value(const Option& option);
/// kWh at the wall of the run or of a million units of work.
std::optional<double> energy_value(const Option& option);

/// The value, or what stands behind all that are known.
double or_last(const std::optional<double>& value);

}  // namespace ridgeline
