#pragma once

#include "advise/advice.h"
#include "report/report.h"

#include <span>
#include <string>

namespace ridgeline::report {

/// The options of an answer that stand on a screen; all of them where it is explained.
std::span<const Option> shown_options(const Advice& advice, const Style& style);
/// The table of the options, and what its order and its rows rest on. Precondition: there is an
/// option.
std::string ranking_text(const Advice& advice, const Style& style);

}  // namespace ridgeline::report
