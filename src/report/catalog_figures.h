#pragma once

#include "base/quantity.h"

#include <fmt/format.h>

#include <optional>
#include <string>

// Figures of the catalog as its lists and entries print them; unknown is a dash.

namespace ridgeline::report {

inline std::string tflops(std::optional<FlopsPerSecond> rate) {
    return rate ? fmt::format("{:.4g}", *rate / teraflop_per_second) : "-";
}

inline std::string gb_per_s(std::optional<BytesPerSecond> rate) {
    return rate ? fmt::format("{:.5g}", *rate / gigabyte_per_second) : "-";
}

/// The catalog keeps 0 where a host's bandwidth or a part's power is unknown.
inline std::string known_gb_per_s(BytesPerSecond rate) {
    return rate.base() > 0 ? gb_per_s(rate) : "-";
}
inline std::string watts(Watts power) {
    return power.base() > 0 ? fmt::format("{:.0f}", power / watt) : "-";
}

}  // namespace ridgeline::report
