#pragma once

#include "advise/query.h"
#include "ask/request.h"
#include "base/result.h"
#include "spec/catalog.h"

namespace ridgeline::ask {

/// `query` with what the flags of `advise` state; flags win over the words of the question.
///
/// errors  a value that is no number, no duration, or out of range, an unknown accelerator
Result<Query> with_flags(Query query, const Request& request, const Catalog& catalog);

/// Seconds of "30d", "12h", "45min", "90s", "500ms"; a bare number is refused with both readings.
Result<double> duration_of(std::string_view flag, std::string_view text);

}  // namespace ridgeline::ask
