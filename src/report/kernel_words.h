#pragma once

#include "report/kernel_report.h"

#include <string>

namespace ridgeline::report {

/// "6,200", "3.14"
std::string rate_figure_of(double rate);
/// "fp16", "fp16 with sums in fp16"
std::string type_words(ComputeType type);
/// "2 ms to 4.1 ms"
std::string range_words(const KernelOn& on);
/// Of the places that hold it the one that does the same work soonest.
const KernelOn& fastest(const KernelAnswer& answer);

}  // namespace ridgeline::report
