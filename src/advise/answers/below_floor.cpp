#include "advise/answers/below_floor.h"

#include "advise/answers/answer.h"
#include "advise/figure_words.h"
#include "advise/hardware/desk.h"
#include "advise/search/time_limits.h"
#include "base/text.h"
#include "spec/hardware_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace ridgeline {
namespace {

/// Another option becomes the choice, what was chosen the runner-up.
void choose_instead(Answer& reply, const Option& option, std::string why) {
    const double usd = option.estimate.cost.usd_per_hour;
    reply.runner_up = reply.choice;
    reply.choice->accelerator = option.cluster.accelerator->id;
    reply.choice->count = option.cluster.count;
    reply.choice->usd_per_hour = usd > 0 ? std::optional(usd) : std::nullopt;
    reply.choice->why = std::move(why);
}

}  // namespace

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
    // Where a part of a crowd runs, each one's share of what is written, its turn included.
    const TimeEstimate& time = fewest->estimate.time;
    const auto& serving = fewest->workload.serving;
    const double rate =
        serving && serving->concurrency > 1
            ? std::min(second / time.tpot, time.tokens_per_second / serving->concurrency)
            : second / time.tpot;
    const double usd = fewest->estimate.cost.usd_per_hour;
    return fmt::format(
        " {}{} hold{} it as well and write {} tokens/s for each where all send at once: no "
        "pace was asked, and {:.0f} tokens/s for each are kept here.",
        cards_words(fewest->cluster),
        usd > 0 && !advice.query.buy ? " at " + format_usd(usd) + "/h" : std::string(),
        fewest->cluster.count == 1 ? "s" : "", figure_words(rate), 1 / readable_tpot_s);
}

bool lead_with_fewest(const Advice& advice, Answer& reply) {
    const Query& query = advice.query;
    const Option* fewest = fewest_below_floor(advice);
    const bool number_asked = !query.accelerators.empty() && !query.exact_accelerators &&
                              !query.max_accelerators && !query.owned && reply.choice;
    // Another form of the family that was named is one of what was asked for.
    const auto named = [&](const std::string& id) {
        return std::ranges::find(query.accelerators, id) != query.accelerators.end();
    };
    // A context that was said is a window that few fill: prompts that fill it, all at once, are the
    // worst that can happen. A load of its own lengths is what happens.
    const bool worst_case = query.workload.sequence_length.has_value();
    if (fewest == nullptr || !number_asked || !worst_case ||
        !named(fewest->cluster.accelerator->id)) {
        return false;
    }
    const TimeEstimate& time = fewest->estimate.time;
    const double usd = fewest->estimate.cost.usd_per_hour;
    const double all = time.tokens_per_second;
    reply.headline = fmt::format(
        "{}{} hold{} it, {:.1f} of {:.1f} GiB on each: {} tokens/s for all, {} for each while "
        "all send at once. For {:.0f} tokens/s for each even then: {}",
        cards_words(fewest->cluster),
        usd > 0 && !query.buy ? " at " + format_usd(usd) + "/h" : std::string(),
        fewest->cluster.count == 1 ? "s" : "", fewest->estimate.memory.process / gibibyte,
        fewest->estimate.memory.capacity / gibibyte, figure_words(all),
        figure_words(second / time.tpot), 1 / readable_tpot_s, reply.headline);
    choose_instead(reply, *fewest, fmt::format("{} tokens/s", figure_words(all)));
    return true;
}

bool lead_with_fewest_in_time(const Advice& advice, Answer& reply) {
    const Query& query = advice.query;
    const bool number_asked = query.deadline_s && query.workload.task == Task::train &&
                              !query.accelerators.empty() && !query.exact_accelerators &&
                              !query.max_accelerators && !query.owned && reply.choice;
    if (!number_asked || advice.options.empty()) {
        return false;
    }
    const Option& best = advice.options.front();
    const auto named = [&](const Option& option) {
        return option.unobtainable.empty() && option.estimate.memory.verdict == FitVerdict::yes &&
               std::ranges::find(query.accelerators, option.cluster.accelerator->id) !=
                   query.accelerators.end();
    };
    const auto order = [](const Option& option) {
        return std::tuple(option.cluster.count, option.estimate.cost.usd_total);
    };
    const Option* fewest = &best;
    for (const Option& option : advice.options) {
        fewest = named(option) && order(option) < order(*fewest) ? &option : fewest;
    }
    if (fewest->cluster.count >= best.cluster.count) {
        return false;
    }
    const double usd = fewest->estimate.cost.usd_per_hour;
    const std::string words = cards_words(fewest->cluster);
    const TimeEstimate& time = fewest->estimate.time;
    const bool barely = barely_in_time(query, time);
    const std::string slow = barely ? fmt::format(", barely ({} at the slow end)",
                                                  format_duration(slow_end(time) / second))
                                    : std::string();
    reply.headline =
        fmt::format("{} are the fewest that end in time, after {}{}{}. By the cost of the work: {}",
                    words, format_duration(time.total / second),
                    usd > 0 ? " at " + format_usd(usd) + "/h" : "", slow, reply.headline);
    choose_instead(reply, *fewest, "the fewest that end in time");
    return true;
}

}  // namespace ridgeline
