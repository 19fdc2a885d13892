#pragma once

#include "advise/purchase/procurement.h"
#include "report/page.h"
#include "report/report.h"

#include <vector>

namespace ridgeline::report {

/// The nearest misses, then one rejection of each accelerator that no option names.
std::vector<Rejection> nearest_rejections(const Advice& advice);

/// Cost with its charts; quantity and schedule.
void add_money_sections(const Procurement& report, Page& page);
/// Power, cooling and space; performance (roofline, scaling); network and storage.
void add_site_sections(const Procurement& report, Page& page);
/// Risks and findings; sensitivity.
void add_judgement_sections(const Procurement& report, Page& page);
/// Assumptions; evidence and provenance; how to reproduce; approval.
void add_closing_sections(const Procurement& report, const Stamp& stamp, Page& page);

}  // namespace ridgeline::report
