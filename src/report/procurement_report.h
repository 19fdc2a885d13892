#pragma once

#include "advise/purchase/procurement.h"
#include "report/chart.h"
#include "report/page.h"
#include "report/report.h"

#include <string>

namespace ridgeline::report {

/// The report as a page, in the sections of facts and guides on acquisition plans (FAR 7.105):
/// need, conditions, requirement, alternatives, recommendation, cost, schedule, power, network,
/// risks, sensitivity, assumptions, evidence, approval.
Page procurement_page(const Procurement& report, const Stamp& stamp);
std::string procurement_json(const Procurement& report, const Stamp& stamp);

/// Charts of the page; empty where there is nothing to draw.
std::string memory_chart(const Option& option);
std::string cost_chart(const Procurement& report);
Plot break_even_plot(const OwnershipAnswer& owned);
std::string scaling_chart(const Procurement& report);
std::string roofline_chart(const Procurement& report);

}  // namespace ridgeline::report
