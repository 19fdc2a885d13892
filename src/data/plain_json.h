#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace ridgeline {

/// Reads what nearly every document is: JSON in ASCII without \u, no deeper than `deepest`. Several
/// times as fast as nlohmann's reader, which judges all else and words what is wrong.
///
/// returns  false, with `tree` in any state, for a text that is not of that kind; whatever it
///          accepts gives the tree that nlohmann's reader makes of it
bool read_plain_json(std::string_view text, int deepest, nlohmann::json& tree);

}  // namespace ridgeline
