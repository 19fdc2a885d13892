#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace ridgeline {

/// The day of "2026-11-26"; nothing where the text is not that, or no calendar has the day.
std::optional<std::chrono::sys_days> date_from(std::string_view text);

/// "2026-11-26".
std::string date_text(std::chrono::sys_days day);

}  // namespace ridgeline
