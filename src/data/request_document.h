#pragma once

#include "base/result.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline {

/// A request as JSON states it: {"command": "estimate", "options": {"model": "llama-3.1-8b",
/// "sequence": 2048, "workload": {...}}}.
struct RequestDocument {
    std::string command;
    std::map<std::string, std::vector<std::string>, std::less<>> options;  ///< values as text
    std::string workload;  ///< options.workload, a document, as JSON text; empty: none
};

/// One request or a list of them.
///
/// one     set to whether the text is a single request
/// errors  no JSON, a key that is unknown, an option that is neither text, number, switch nor a
/// list
Result<std::vector<RequestDocument>> requests_from_json(std::string_view text, bool& one);

}  // namespace ridgeline
