#pragma once

#include "estimate/results.h"
#include "report/report.h"

#include <string>

namespace ridgeline::report {

/// What requests under load see: two lines on a usual terminal, a third where targets were stated.
std::string load_text(const ServedLoad& load, const Style& style);

}  // namespace ridgeline::report
