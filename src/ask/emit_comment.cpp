#include "ask/emit_comment.h"

#include "ask/option_table.h"
#include "ask/shell_word.h"
#include "base/text.h"

#include <fmt/format.h>

namespace ridgeline::ask {
namespace {

using Options = std::map<std::string, std::string>;

/// The question as flags, with the hardware and the lengths that no setting of the tool says.
std::string question_line(const Request& request, const Options& options) {
    std::string line = "asked: ridgeline emit";
    for (const OptionRow& row : options_of(Command::emit)) {
        const std::string name(row.name);
        if (!request.given(name) || row.loads_world || row.group == "Output" || name == "from" ||
            name == "output") {
            continue;
        }
        for (const std::string& text : request.texts(name)) {
            line += row.type == OptionType::flag ? " --" + name
                                                 : fmt::format(" --{} {}", name, shell_word(text));
        }
    }
    const bool serving = options.count("input-tokens") > 0;
    for (const char* name : {"input-tokens", "output-tokens", "micro-batch", "batch"}) {
        if (serving && options.count(name) > 0 && !request.given(name)) {
            line += fmt::format(" --{} {}", name, options.at(name));
        }
    }
    return line;
}

}  // namespace

std::vector<std::string> comment_of(const World& world, const Request& request,
                                    const Placement& placed, const Options& options) {
    const MemoryEstimate& memory = placed.estimate.memory;
    const TimeEstimate& time = placed.estimate.time;
    const double peak = memory.process / gibibyte;
    std::vector<std::string> lines = {
        "ridgeline " + stamp_of(world.catalog).version + " wrote this file.",
        question_line(request, options),
        fmt::format("predicted peak: {:.1f} GiB an accelerator ({:.1f} to {:.1f} of {:.1f})", peak,
                    peak * memory.band.low, peak * memory.band.high, memory.capacity / gibibyte)};
    const bool serving = placed.workload.task == Task::inference;
    const Seconds step = serving ? time.tpot : time.step;
    const Interval& band = serving ? placed.tpot_band : time.band;
    if (step > Seconds{}) {
        lines.push_back(fmt::format("predicted {}: {}", serving ? "time per output token" : "step",
                                    duration_range(step, band)));
    }
    const CostEstimate& cost = placed.estimate.cost;
    if (cost.usd_per_hour > 0) {
        lines.push_back("rent: " + format_usd(cost.usd_per_hour) + "/h");
        if (cost.usd_total > 0) {
            lines.back() +=
                fmt::format(", {} for the run ({} to {})", format_usd(cost.usd_total),
                            format_usd(cost.usd_total_low), format_usd(cost.usd_total_high));
        }
    }
    return lines;
}

}  // namespace ridgeline::ask
