#pragma once

#include "base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace ridgeline {

/// The documents of a YAML text without yaml-cpp, for the core in a browser, where nothing may be
/// thrown: maps and lists in blocks and in flow, all kinds of scalars, anchors, aliases, merged
/// maps. A tag makes its scalar a text. Not read: keys that are no words, one pair inside a flow
/// list.
///
/// errors  as `yaml_trees`
Result<std::vector<nlohmann::json>> read_yaml(std::string_view text, const std::string& where);

}  // namespace ridgeline
