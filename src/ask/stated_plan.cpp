#include "ask/stated_plan.h"

#include "base/text.h"
#include "estimate/resolve/legality.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string>
#include <utility>

namespace ridgeline::ask {

Result<void> stated_plan_runs(const Architecture& architecture, const Query& query) {
    const WorkloadDocument& document = query.workload;
    if (const auto legal = check_stated_sizes(architecture, document); !legal) {
        return legal;
    }
    if (!query.exact_accelerators || document.preference) {
        return {};
    }
    const std::pair<const char*, std::optional<int>> sizes[] = {{"--tensor", document.tensor},
                                                                {"--pipeline", document.pipeline},
                                                                {"--context", document.context},
                                                                {"--data", document.data}};
    std::string stated;
    double ranks = 1;
    for (const auto& [flag, size] : sizes) {
        if (size) {
            append(stated, " ", fmt::format("{} {}", flag, *size));
            ranks *= *size;
        }
    }
    const double count = *query.exact_accelerators;
    const bool runs = document.data ? ranks == count : std::fmod(count, ranks) == 0;
    if (runs) {
        return {};
    }
    return usage_error(
        "--accelerators",
        fmt::format("found {:.0f} beside {}, of which {:.0f} ranks follow", count, stated, ranks),
        document.data ? "The sizes must multiply to the accelerators."
                      : "The ranks must divide the accelerators.");
}

}  // namespace ridgeline::ask
