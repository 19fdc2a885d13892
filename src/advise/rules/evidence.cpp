#include "advise/rules/rule.h"

#include <fmt/format.h>

namespace ridgeline::rule {

Found interval_without_evidence(const RuleContext& c) {
    const Interval& memory = c.estimate.memory.band;
    const Interval& time = c.estimate.time.band;
    const bool memory_bare = memory.evidence_rows == 0 && memory.high > memory.low;
    const bool time_bare = time.evidence_rows == 0 && time.high > time.low;
    if (!memory_bare && !time_bare) {
        return {};
    }
    const Interval& band = memory_bare ? memory : time;
    const char* what = memory_bare && time_bare ? "memory and time"
                       : memory_bare            ? "memory"
                                                : "time";
    return finding(
        "interval_without_evidence", Severity::info,
        fmt::format("no measured run of this kind: the interval of {} is assumed, {:+.0f} to "
                    "{:+.0f} %",
                    what, 100 * (band.low - 1), 100 * (band.high - 1)),
        {{"low_factor", band.low}, {"high_factor", band.high}, {"rows", 0}},
        "calibration: residuals");
}

Found assumed_efficiency(const RuleContext& c) {
    const Tier tier = c.estimate.time.worst_tier;
    if (tier == Tier::measured || tier == Tier::published || c.estimate.time.step <= Seconds{}) {
        return {};
    }
    const bool assumed = tier == Tier::assumed;
    return finding(
        "assumed_efficiency", Severity::info,
        fmt::format("at least one efficiency behind the time on {} is {} (tier {} of 4; --explain "
                    "lists them)",
                    c.cluster.accelerator->name,
                    assumed ? "assumed" : "transferred from related silicon",
                    static_cast<int>(tier)),
        {{"tier", static_cast<double>(tier)}}, "calibration");
}

}  // namespace ridgeline::rule
