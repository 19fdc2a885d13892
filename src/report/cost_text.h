#pragma once

#include "report/report.h"

#include <string>

namespace ridgeline::report {

/// The rent of an estimate by the hour, the run and the million tokens; where no offer is found,
/// what is known of its price.
std::string cost_text(const EstimateAnswer& answer, const Style& style);

}  // namespace ridgeline::report
