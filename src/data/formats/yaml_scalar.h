#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace ridgeline {

/// Limits of one YAML text. Aliases count each time they stand, so that a few nested ones cannot
/// make billions.
inline constexpr int most_yaml_values = 100'000;
inline constexpr int deepest_yaml = 64;

/// A scalar without quotes and without a tag, by the YAML 1.2 core schema; "1e-4" is a number as
/// well, and `yes`, `no`, `on`, `off` are flags, since every trainer reads them so.
nlohmann::json plain_scalar(const std::string& text);

}  // namespace ridgeline
