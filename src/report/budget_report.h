#pragma once

#include "advise/purchase/budget.h"
#include "report/report.h"

#include <string>

namespace ridgeline::report {

/// What a sum of money or a number of accelerators is good for: buy, rent, or both.
std::string budget_text(const BudgetAnswer& answer, const Style& style);
std::string budget_json(const BudgetAnswer& answer, const Stamp& stamp);

}  // namespace ridgeline::report
