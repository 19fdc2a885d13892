#pragma once

#include "advise/hardware/ownership.h"
#include "report/report.h"

#include <string>

namespace ridgeline::report {

/// What hardware costs to own: purchase, hour of work by utilisation, break-even, power and heat.
std::string ownership_text(const OwnershipAnswer& answer, const Style& style);
std::string ownership_json(const OwnershipAnswer& answer, const Stamp& stamp);

/// "$0.0987" below a dollar, "$2.10" below a thousand, "$255,237" above.
std::string hourly_usd(double usd);
/// "43 %", "never below 100 %", "never".
std::string break_even_words(const std::optional<double>& utilization);

}  // namespace ridgeline::report
