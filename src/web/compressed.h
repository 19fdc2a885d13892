#pragma once

#include <string>
#include <string_view>

namespace ridgeline::web {

/// As LZMA compresses it, without a header, the same bytes each time; page/lzma.js unpacks it. A
/// quarter smaller than gzip. Empty when memory is out.
std::string compressed(std::string_view bytes);

}  // namespace ridgeline::web
