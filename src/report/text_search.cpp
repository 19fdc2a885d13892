#include "base/text.h"
#include "report/report.h"
#include "report/table.h"

#include <fmt/format.h>

namespace ridgeline::report {

std::string searched_text(const Searched& searched, const Style& style) {
    std::string out =
        fmt::format("Of {} legal plans {} were evaluated", searched.plans, searched.evaluated);
    const auto part = [&out](std::uint64_t plans, std::string_view why) {
        if (plans > 0) {
            out += fmt::format(", {} {}", plans, why);
        }
    };
    part(searched.too_large, "do not fit");
    part(searched.memory_bound, "cannot fit by a bound");
    part(searched.time_bound, "cannot be faster by a bound");
    part(searched.dominated, "are worse in everything");
    out += searched.stopped ? "; stopped before the end, the best so far." : ".";
    return wrap(out, style.width, 2) + "\n";
}

std::string front_text(const Workload& base, const std::vector<FoundPlan>& front,
                       const Style& style) {
    std::string out = "Plans that no other beats in time, energy and memory:\n";
    constexpr std::size_t most = 12;
    for (std::size_t i = 0; i < front.size() && i < most; ++i) {
        const FoundPlan& found = front[i];
        const Workload plan = with_plan(base, found);
        const std::string line = fmt::format("{}, micro-batch {}", plan_line(plan), found.micro);
        out += wrap(fmt::format("  {:>9} a step, {:6.1f} GiB, energy x{:.2f}: {}",
                                format_duration(found.step), found.process / gibibyte.base(),
                                found.energy_per_sample / front.front().energy_per_sample, line),
                    style.width, 6) +
               "\n";
    }
    if (front.size() > most) {
        out += fmt::format("  and {} more (--json lists all)\n", front.size() - most);
    }
    return out;
}

}  // namespace ridgeline::report
