#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace ridgeline::cli {

/// Writes a file that the user asked for; an existing one is replaced.
///
/// flag    that named it, for the message
/// errors  internal (exit 1): the path cannot be written
Result<void> write_file(std::string_view flag, const std::string& path, std::string_view text);

}  // namespace ridgeline::cli
