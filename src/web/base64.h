#pragma once

#include <string>
#include <string_view>

namespace ridgeline::web {

/// Base64 with padding (RFC 4648).
std::string base64(std::string_view bytes);

}  // namespace ridgeline::web
