#pragma once

#include "report/chart.h"

#include <string>
#include <string_view>

namespace ridgeline::report {

/// Charts as SVG 1.1 that stands alone and may also be pasted into an HTML page: no scripts, fonts,
/// images or network; title and description for screen readers; light or dark as the reader's
/// system asks, always light on paper. Series differ in dashes and shape of mark as well as in
/// colour. The same chart gives the same bytes.

std::string svg_of(const Plot& plot);
std::string svg_of(const BarChart& chart);

/// Text with the five characters that XML reserves replaced and control characters left out.
std::string xml_text(std::string_view text);

}  // namespace ridgeline::report
