#pragma once

#include "base/result.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ridgeline::web {

/// The target of a request, taken apart: "/api/v1/estimate?on=l40s" is a path and its fields.
struct Target {
    std::string path;
    std::vector<std::pair<std::string, std::string>> fields;  ///< in their order, decoded
};

/// Reads an origin-form target: %41 is a letter, + a blank in a field. errors  what is no such
/// text, a half escape, a zero byte
Result<Target> target_of(std::string_view text);

}  // namespace ridgeline::web
