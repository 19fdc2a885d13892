#pragma once

#include "report/report.h"
#include "spec/catalog.h"

#include <string>

namespace ridgeline::report {

/// Prices that widely read articles state, beside those of dated lists.
std::string claims_text(const Catalog& catalog, const Style& style);

}  // namespace ridgeline::report
