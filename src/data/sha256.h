#pragma once

#include <string>
#include <string_view>

namespace ridgeline {

/// SHA-256 of a text (FIPS 180-4): 32 bytes.
std::string sha256(std::string_view text);

}  // namespace ridgeline
