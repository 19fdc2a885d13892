#include "advise/below_floor.h"

#include "advise/answer.h"
#include "advise/desk.h"
#include "advise/plans.h"
#include "base/text.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <tuple>

namespace ridgeline {

const Option* fewest_below_floor(const Advice& advice) {
    if (advice.options.empty()) {
        return nullptr;
    }
    const Option& best = advice.options.front();
    const auto below = [&](const Option& option) {
        return slower_than_read(advice.query, option.workload, option.estimate.time);
    };
    if (below(best) || best.estimate.time.tpot <= Seconds{}) {
        return nullptr;
    }
    // Of the same part first: it was asked for, or is what people compare with.
    const auto order = [&](const Option& option) {
        return std::tuple(option.cluster.accelerator != best.cluster.accelerator,
                          option.cluster.count, option.estimate.cost.usd_per_hour);
    };
    const Option* fewest = nullptr;
    for (const Option& option : advice.options) {
        const bool smaller = option.cluster.count < best.cluster.count && below(option) &&
                             option.unobtainable.empty() &&
                             option.estimate.memory.verdict == FitVerdict::yes;
        if (smaller && (fewest == nullptr || order(option) < order(*fewest))) {
            fewest = &option;
        }
    }
    return fewest;
}

std::string below_floor_words(const Advice& advice) {
    const Option* fewest = fewest_below_floor(advice);
    if (fewest == nullptr) {
        return "";
    }
    const double rate = second / fewest->estimate.time.tpot;
    const double usd = fewest->estimate.cost.usd_per_hour;
    return fmt::format(
        " {} x {}{} hold{} it as well and write {} tokens/s for each where all send at once: no "
        "pace was asked, and {:.0f} tokens/s for each are kept here.",
        fewest->cluster.count, fewest->cluster.accelerator->name,
        usd > 0 && !advice.query.buy ? " at " + format_usd(usd) + "/h" : std::string(),
        fewest->cluster.count == 1 ? "s" : "", figure_words(rate), 1 / readable_tpot_s);
}

}  // namespace ridgeline
