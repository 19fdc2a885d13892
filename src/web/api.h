#pragma once

#include "ask/request.h"
#include "ask/world.h"
#include "base/result.h"
#include "web/target.h"

#include <span>
#include <string>
#include <string_view>

namespace ridgeline::web {

/// A command that the network may ask, and where.
struct ApiRow {
    std::string_view name;     ///< "estimate": /api/v1/estimate
    std::string_view command;  ///< of the option table
    std::string_view example;  ///< fields of a request that is answered with 200
    std::string_view schema;   ///< of its answer, in profiles/schema/answers; empty: none
};
std::span<const ApiRow> api_table();
const ApiRow* api_row(std::string_view path);  ///< "/api/v1/estimate"; null when there is none

/// The request that fields of a URL state, or the options in `body` (JSON) when it is not empty. An
/// answer of JSON is asked for, unless a report names another format.
///
/// errors  a field beside a body, a body that is no object of options
Result<ask::Request> api_request(const ApiRow& row, const Target& target, std::string_view body);

/// Whether answering may take long: it waits for the one worker and has a budget.
bool is_search(const ask::Request& request);

/// A text that is the same for requests that mean the same.
std::string canonical(const ask::Request& request);

/// 200 for an answer, also one that nothing fits; else by the kind of error.
int status_of(const Error& error);

}  // namespace ridgeline::web
