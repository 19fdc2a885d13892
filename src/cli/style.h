#pragma once

#include "report/report.h"

#include <string_view>

namespace ridgeline::cli {

/// How text is drawn on this terminal; `color` is "auto", "always", "never" or empty.
report::Style style_of(std::string_view color);

}  // namespace ridgeline::cli
