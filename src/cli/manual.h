#pragma once

#include "base/result.h"

#include <string>

namespace ridgeline::cli {

/// Names of all pages, one a line: "ridgeline", "ridgeline-estimate".
std::string manual_pages();

/// The manual page of a command in mdoc, or of the program ("ridgeline"). errors  no such command
Result<std::string> manual_page(const std::string& command);

}  // namespace ridgeline::cli
