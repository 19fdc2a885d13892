#include "advise/ranking/finalists.h"

#include "advise/ranking/rank.h"
#include "advise/search/time_limits.h"
#include "estimate/serving/served_load.h"

#include <algorithm>
#include <utility>

namespace ridgeline {
namespace {

constexpr int most_rounds = 8;             ///< of finalists that fall out and others that follow
constexpr std::size_t most_simulated = 3;  ///< of the best, beside those with a label

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

}  // namespace

void simulate_finalists(const Search& search, std::vector<Option>& options,
                        std::vector<Rejection>& rejections) {
    if (search.document.task != Task::inference || search.architecture.stacks.empty()) {
        return;
    }
    const auto shown =
        std::min(most_simulated, static_cast<std::size_t>(std::max(1, search.query.top)));
    const auto barely = [&search](const Option& option) {
        return barely_keeps(search.query, option.workload.serving, option.estimate.time);
    };
    for (int round = 0; round < most_rounds; ++round) {
        bool moved = false;  // some fell out, or only barely keep what they seemed to keep
        std::vector<Option> kept;
        for (std::size_t i = 0; i < options.size(); ++i) {
            Option& option = options[i];
            if (i < shown || !option.labels.empty()) {
                const bool kept_before = barely(option);
                simulate(search, option);
                moved = moved || kept_before != barely(option);
                const Candidate candidate{option.cluster.accelerator, *search.models};
                Rejection late =
                    time_limit(search, candidate, option.cluster.count, option.estimate.time);
                if (!late.reason.empty()) {
                    rejections.push_back(std::move(late));
                    moved = true;
                    continue;
                }
            }
            kept.push_back(std::move(option));
        }
        options = std::move(kept);
        if (!moved) {
            return;
        }
        rank(search, options);
    }
}

}  // namespace ridgeline
