#pragma once

#include "estimate/step_listing.h"
#include "report/json.h"
#include "report/report.h"

#include <string>

namespace ridgeline::report {

/// A step as a table: what takes time, by stream, and the bytes alive after it; with
/// `style.explain` also each tensor that is made and given back.
std::string step_text(const StepListing& step, const Style& style);
Json step_json(const StepListing& step);

}  // namespace ridgeline::report
