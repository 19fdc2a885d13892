#pragma once

#include "base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace ridgeline {

/// Largest text of a configuration, bytes.
inline constexpr std::size_t largest_config = std::size_t{1} << 20;

/// The documents of a configuration as JSON values, whether it is written in JSON, YAML or TOML
/// (told by its text). A key that stands twice, an alias that multiplies and a nesting that is too
/// deep are errors; TOML and JSON texts hold one document.
///
/// where   name in errors
/// errors  the text is none of the three, or larger than `largest_config`
Result<std::vector<nlohmann::json>> config_trees(std::string_view text, const std::string& where);

/// The documents of a YAML text: maps and lists in blocks and in flow, all kinds of scalars,
/// anchors, aliases, merged maps. Values are typed as the YAML 1.2 core schema does, and `yes`,
/// `no`, `on`, `off` as the loaders of Python do; a tag makes its scalar a text. Nothing is thrown,
/// which the core in a browser could not catch. Not read: keys that are no words.
Result<std::vector<nlohmann::json>> yaml_trees(std::string_view text, const std::string& where);

/// A TOML text; dates become text.
Result<nlohmann::json> toml_tree(std::string_view text, const std::string& where);

}  // namespace ridgeline
