#include "advise/ranking/finalists.h"

#include "advise/ranking/rank.h"
#include "advise/search/time_limits.h"
#include "estimate/serving/served_load.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace ridgeline {
namespace {

constexpr int most_rounds = 8;  ///< of finalists that fall out and others that follow

/// Puts the simulated load into an option, once.
void simulate(const Search& search, Option& option) {
    const SoftwareProfile* software =
        search.knowledge.profiles.software_profile(option.workload.framework);
    if (software == nullptr || option.estimate.time.load) {
        return;
    }
    const DeviceModel& device = search.models->device(*option.cluster.accelerator);
    add_load(option.estimate.time, {.architecture = search.architecture,
                                    .workload = option.workload,
                                    .cluster = option.cluster,
                                    .software = *software,
                                    .device = device,
                                    .calibration = search.knowledge.profiles.calibration,
                                    .links = &search.models->links(option.cluster)});
}

/// Simulates those of the options. Whether some fell out, or only barely keep what they seemed to
/// keep.
bool simulate_shown(const Search& search, const std::vector<bool>& shown, Advice& advice) {
    const auto barely = [&search](const Option& option) {
        return barely_keeps(search.query, option.workload.serving, option.estimate.time);
    };
    bool moved = false;
    std::vector<Option> kept;
    for (std::size_t i = 0; i < advice.options.size(); ++i) {
        Option& option = advice.options[i];
        if (shown[i]) {
            const bool kept_before = barely(option);
            simulate(search, option);
            moved = moved || kept_before != barely(option);
            const Candidate candidate{option.cluster.accelerator, *search.models};
            Rejection late =
                time_limit(search, candidate, option.cluster.count, option.estimate.time);
            if (!late.reason.empty()) {
                advice.rejections.push_back(std::move(late));
                moved = true;
                continue;
            }
        }
        kept.push_back(std::move(option));
    }
    advice.options = std::move(kept);
    return moved;
}

}  // namespace

std::vector<bool> shown_options(const Advice& advice) {
    const std::vector<Option>& options = advice.options;
    const std::size_t top = static_cast<std::size_t>(std::max(1, advice.query.top));
    std::vector<bool> shown(options.size(), false);
    std::size_t count = 0;
    const auto take = [&](std::size_t i) {
        count += shown[i] ? 0 : 1;
        shown[i] = true;
    };
    const Option* beside = options.empty() ? nullptr : runner_up_of(advice).option;
    const Option* barely = barely_enough_of(advice);
    for (std::size_t i = 0; i < options.size(); ++i) {
        if (!options[i].labels.empty() || &options[i] == beside || &options[i] == barely) {
            take(i);
        }
    }
    std::set<std::string_view> seen;
    for (std::size_t i = 0; i < options.size() && count < top; ++i) {
        if (seen.insert(options[i].cluster.accelerator->id).second) {
            take(i);
        }
    }
    for (std::size_t i = 0; i < options.size() && count < top; ++i) {
        take(i);
    }
    return shown;
}

void simulate_finalists(const Search& search, Advice& advice) {
    if (search.document.task != Task::inference || search.architecture.stacks.empty()) {
        return;
    }
    for (int round = 0; round < most_rounds; ++round) {
        if (!simulate_shown(search, shown_options(advice), advice)) {
            return;
        }
        rank(search, advice.options);
    }
}

}  // namespace ridgeline
