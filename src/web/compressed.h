#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::web {

/// Pieces as LZMA compresses each, the same bytes each time; page/start.js unpacks them, one behind
/// another. A quarter smaller than gzip. In front of each: how many bits of the byte before tell
/// what comes next, 8 more where bytes are pairs, its size and what it takes, in one and twice four
/// bytes, the lowest first. Empty when memory is out.
std::string compressed(const std::vector<std::string_view>& pieces);

}  // namespace ridgeline::web
