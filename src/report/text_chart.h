#pragma once

#include "report/chart.h"
#include "report/report.h"

#include <string>

namespace ridgeline::report {

/// The same plot in characters: title, axes, a letter or symbol for each series, legend. No line is
/// wider than `style.width`; plain ASCII unless `style.unicode`.
///
/// height  rows of the plot itself
std::string plot_text(const Plot& plot, const Style& style, int height = 16);

}  // namespace ridgeline::report
