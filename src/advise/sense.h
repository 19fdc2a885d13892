#pragma once

#include "estimate/results.h"

#include <string>
#include <string_view>

namespace ridgeline {

/// The longest run, the most hardware and the largest sum that anybody can mean. What goes beyond
/// was read wrongly, or asked of hardware that is far too small for it.
inline constexpr double longest_sense_years = 1000;
inline constexpr double most_sense_accelerators = 1e6;
inline constexpr double most_sense_usd = 1e12;

/// Why no plan can mean a figure, with the bound of its unit ("h", "USD", "accelerators"); empty
/// where it can be meant or the unit has no bound.
std::string beyond_sense(double figure, std::string_view unit);
/// The same of the length and the price of a run.
std::string beyond_sense(const Estimate& estimate);

}  // namespace ridgeline
