#include "advise/ranking/finalists.h"

#include "advise/ranking/rank.h"
#include "advise/search/time_limits.h"
#include "estimate/serving/served_load.h"

#include <algorithm>
#include <optional>
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

/// Shortens a limit by as much as what was simulated takes longer than was thought.
void shorten(std::optional<double>& limit, Seconds thought, Seconds simulated) {
    if (limit && thought > Seconds{} && simulated > thought) {
        *limit *= thought / simulated;
    }
}

/// What seemed to keep its limits and does not when it is simulated may run by another plan, or
/// with fewer requests at once, that does: the best that keeps limits shortened by as much;
/// nothing: none does.
///
/// thought  its times before they were simulated
std::optional<Option> kept_otherwise(const Search& search, const Option& late,
                                     TimeEstimate thought) {
    constexpr int most_tries = 3;
    const Candidate candidate{late.cluster.accelerator, *search.models};
    Query stricter = search.query;
    TimeEstimate simulated = late.estimate.time;
    for (int i = 0; i < most_tries; ++i) {
        shorten(stricter.ttft_s, thought.ttft, simulated.ttft);
        shorten(stricter.tpot_s, thought.tpot, simulated.tpot);
        shorten(stricter.answer_s, thought.ttft, simulated.ttft);
        const Search again{.query = stricter,
                           .architecture = search.architecture,
                           .knowledge = search.knowledge,
                           .document = search.document,
                           .defaults = search.defaults,
                           .freedom = search.freedom,
                           .parameters = search.parameters,
                           .flops_per_token = search.flops_per_token,
                           .brief = search.brief,
                           .requests_may_wait = search.requests_may_wait,
                           .models = search.models,
                           .blocks = search.blocks,
                           .replayed = search.replayed};
        Trial trial = best_on(again, candidate, late.cluster);
        auto* option = std::get_if<Option>(&trial.outcome);
        if (option == nullptr) {
            return std::nullopt;
        }
        thought = option->estimate.time;
        simulate(search, *option);
        simulated = option->estimate.time;
        if (time_limit(search, candidate, late.cluster.count, simulated).reason.empty()) {
            return std::move(*option);
        }
    }
    return std::nullopt;
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
            const TimeEstimate thought = option.estimate.time;
            simulate(search, option);
            moved = moved || kept_before != barely(option);
            const Candidate candidate{option.cluster.accelerator, *search.models};
            Rejection late =
                time_limit(search, candidate, option.cluster.count, option.estimate.time);
            const bool waits = search.query.ttft_s || search.query.tpot_s || search.query.answer_s;
            auto other = late.reason.empty() || !waits ? std::nullopt
                                                       : kept_otherwise(search, option, thought);
            if (other) {
                kept.push_back(std::move(*other));
                moved = true;
                continue;
            }
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
