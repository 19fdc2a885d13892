#include "report/load_words.h"

#include "report/table.h"

#include <fmt/format.h>

#include <utility>

namespace ridgeline::report {
namespace {

/// "79.1 / 120 / 168 ms", all in the unit of the last; hours where seconds would have five digits.
std::string quantiles(const LoadSpread& spread) {
    const auto [unit, name] = spread.p99 < 1      ? std::pair{1e-3, "ms"}
                              : spread.p99 < 9999 ? std::pair{1.0, "s"}
                                                  : std::pair{3600.0, "h"};
    const auto digits = [unit = unit](double seconds) {
        const double value = seconds / unit;
        return value < 1000 ? fmt::format("{:.3g}", value) : fmt::format("{:.0f}", value);
    };
    return fmt::format("{} / {} / {} {}", digits(spread.p50), digits(spread.p90),
                       digits(spread.p99), name);
}

}  // namespace

std::string load_text(const ServedLoad& load, const Style& style) {
    std::string seen = "p50 / p90 / p99: first token " + quantiles(load.ttft);
    if (load.tpot.mean > 0) {
        seen += ", token " + quantiles(load.tpot);
    }
    seen += fmt::format(", request {} ({} simulated", quantiles(load.end_to_end), load.requests);
    if (load.preemptions > 0) {
        seen += fmt::format(", {} preempted", load.preemptions);
    }
    std::string out = paragraph("  ", seen + ")", style);
    if (load.goodput) {
        std::string kept = fmt::format("within the targets {:.3g} of {:.3g} requests/s",
                                       *load.goodput, load.requests_per_second);
        if (load.largest_rate) {
            kept += *load.largest_rate > 0
                        ? fmt::format("; nine in ten up to {:.3g} requests/s", *load.largest_rate)
                        : std::string("; nine in ten at no rate");
        }
        out += paragraph("  ", kept, style);
    }
    return out;
}

}  // namespace ridgeline::report
