#pragma once

#include <string>

namespace ridgeline {

/// A figure with three significant digits, thousands parted: "26,800", "0.35".
std::string figure_words(double value);
/// How many times as much: two digits, or whole from a hundred on.
std::string times_words(double ratio);

/// Nearer than this two rates are one: estimates part no finer.
inline constexpr double same_rate_within = 1.1;
/// "A is 1.3 times as fast as B", or that both are about as fast.
std::string faster_words(const std::string& better, const std::string& other, double ratio);

}  // namespace ridgeline
