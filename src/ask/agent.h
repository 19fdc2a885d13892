#pragma once

#include "ask/ask.h"

#include <string>
#include <string_view>

namespace ridgeline::ask {

/// The largest result that an agent is sent, in bytes of JSON: longer answers lose list elements.
inline constexpr std::size_t most_agent_bytes = 32 * 1024;

/// Answers one message of the Model Context Protocol: the five read-only tools advise, estimate,
/// remedies, compare and catalog. Both eras are spoken: requests that name their version each
/// (2026-07-28), and those of a session that `initialize` began (2025-11-25 and before).
///
/// line    one JSON-RPC message; watch limits searches, may be empty
/// returns one line of JSON without its end; empty for what wants no answer
std::string agent_reply(const World& world, const SearchWatcher& watch, std::string_view line);

}  // namespace ridgeline::ask
