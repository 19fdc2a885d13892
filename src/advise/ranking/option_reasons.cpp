#include "advise/ranking/option_reasons.h"

#include "base/text.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace ridgeline {
namespace {

std::string plan_words(const Option& option) {
    const Plan& plan = option.workload.plan;
    std::string words;
    const auto add = [&words](const char* name, int size) {
        if (size > 1) {
            words += fmt::format("{}{} {}", words.empty() ? "" : " x ", name, size);
        }
    };
    add("data", plan.data);
    add("tensor", plan.tensor);
    add("pipeline", plan.pipeline);
    add("context", plan.context);
    return words;
}

std::string bound_sentence(const Option& option) {
    switch (option.estimate.time.bound) {
        case Bound::compute:
            return "bound by compute: matrix rate decides, not bandwidth";
        case Bound::memory:
            return "bound by memory bandwidth: matrix rate hardly matters";
        case Bound::communication:
            return "bound by the links between accelerators";
        case Bound::overhead:
            return "bound by kernel launches and the host";
        case Bound::input:
            return "bound by its input data";
    }
    return {};
}

}  // namespace

void explain(const Search& search, Option& option, std::size_t options, bool one_count) {
    const MemoryEstimate& memory = option.estimate.memory;
    auto& why = option.why;
    for (const std::string& name : option.labels) {
        const bool by_memory = name == "smallest" && one_count;
        why.push_back(fmt::format("the {} of {} that fit",
                                  by_memory ? "one with least memory" : name, options));
    }
    if (!option.unobtainable.empty()) {
        why.push_back(option.unobtainable);
    }
    if (option.scarce) {
        why.push_back(fmt::format("{} of the providers listed rent{} it out", option.renters,
                                  option.renters == 1 ? "s" : ""));
    }
    if (barely_fits(memory)) {
        why.push_back(
            fmt::format("it barely fits: up to {:.1f} GiB are possible",
                        (memory.process * memory.band.high + memory.unclaimed) / gibibyte));
    }
    why.push_back(fmt::format("peak {:.1f} of {:.1f} GiB ({:.0f} % free), set by {}",
                              memory.process / gibibyte, memory.capacity / gibibyte,
                              100 * (memory.headroom() / memory.capacity),
                              memory.instants.empty() ? std::string_view("the weights")
                                                      : memory.instants[memory.peak_instant].name));
    if (const std::string plan = plan_words(option); !plan.empty()) {
        why.push_back("spread as " + plan);
    }
    why.push_back(bound_sentence(option));
    if (option.value) {
        const std::string_view unit = objective_unit(search.query, option);
        const bool money = unit.rfind("dollars ", 0) == 0;
        why.push_back(money ? format_usd(*option.value) + std::string(unit.substr(7))
                            : fmt::format("{:.4g} {}", *option.value, unit));
    } else if (search.query.objective == Objective::cost) {
        why.push_back(option.purchase_usd
                          ? fmt::format("no rental offer is listed; the parts cost about ${:.0f}",
                                        *option.purchase_usd)
                          : std::string("no price is listed"));
    }
}

}  // namespace ridgeline
