#pragma once

#include <string_view>

namespace ridgeline {

/// Name of work of the host between small kernels that are functions, not modules: each takes half
/// the time of a module's launch.
inline constexpr std::string_view small_functions = "functions";

}  // namespace ridgeline
