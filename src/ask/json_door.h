#pragma once

#include "ask/ask.h"

#include <string>
#include <string_view>

namespace ridgeline::ask {

/// Answers one request or a list of them, as JSON text in and out: {"command", "options"} becomes
/// {"exit_code", "media_type", "body"}, and "messages" where there are some. A body of JSON stands
/// as it was printed, any other text as a string; an error is the object {"error": ...} that the
/// command line prints. Nothing that the text says may name a file.
///
/// watch  ends searches that take too long; may be empty
std::string ask_json(const World& world, std::string_view requests,
                     const SearchWatcher& watch = {});

/// The answer to any request that fails so.
std::string error_json(const Error& error);

}  // namespace ridgeline::ask
