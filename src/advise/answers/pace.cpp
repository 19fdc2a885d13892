#include "advise/answers/pace.h"

#include "advise/figure_words.h"
#include "advise/search/time_limits.h"
#include "base/duration_range.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

namespace ridgeline {

namespace {

/// Adds whether one limit is kept, and the sentence that tells it.
void add_limit(Pace& pace, bool middle, bool at_best, const std::string& told) {
    pace.middle = pace.middle && middle;
    pace.at_best = pace.at_best && at_best;
    pace.words += told;
    pace.missed += middle ? std::string() : told;
}

void add_wait(Pace& pace, std::string_view what, Seconds took, const Interval& band,
              std::optional<double> most) {
    if (!most || took <= Seconds{}) {
        return;
    }
    const double seconds = took / second;
    const double low = seconds * band.low;
    const double high = seconds * band.high;
    const bool within = seconds <= *most;
    // The range is told where the limit lies in it: else it decides nothing.
    const bool open = (low <= *most) != (high <= *most);
    add_limit(
        pace, within, low <= *most,
        fmt::format(" {} comes after {}, {} the {} asked.", what,
                    open ? format_duration_range(seconds, low, high) : format_duration(seconds),
                    within ? "within" : "later than", format_duration(*most)));
}

/// Each live stream is a window of its own, and needs as many seconds of sound heard a second.
void add_streams(Pace& pace, const TimeEstimate& time, double live) {
    const double heard = time.samples_per_second * audio_window_s;
    add_limit(pace, heard >= live, heard >= live * time.band.low,
              fmt::format(" It hears {} times real time ({} to {}): {:g} live streams {}.",
                          figure_words(heard), figure_words(heard / time.band.high),
                          figure_words(heard / time.band.low), live,
                          heard >= live ? "keep up" : "do not keep up"));
}

Pace pace_of_run(const TimeEstimate& time, const Query& query) {
    Pace pace;
    if (time.total <= Seconds{} || !query.deadline_s) {
        return pace;
    }
    const double seconds = time.total / second;
    const bool within = seconds <= *query.deadline_s;
    add_limit(pace, within,
              (time.run ? time.run->low / second : seconds * time.band.low) <= *query.deadline_s,
              fmt::format(" The run takes {}, {} the {} asked.", format_duration(seconds),
                          within ? "within" : "longer than", format_duration(*query.deadline_s)));
    return pace;
}

}  // namespace

double surely_served(const TimeEstimate& time) {
    return time.samples_per_second / std::max(1.0, time.band.high);
}

Pace pace_of(const Placement& placement, const Query& query) {
    const TimeEstimate& time = placement.estimate.time;
    if (placement.workload.task == Task::train) {
        return pace_of_run(time, query);
    }
    Pace pace;
    // Where more comes in than leaves, no wait has an end.
    const double asked = query.requests_per_s.value_or(0);
    if (const double rate = time.samples_per_second; rate > 0 && rate < asked * time.band.low) {
        pace.bears = false;
        add_limit(
            pace, false, false,
            fmt::format(" {} requests/s of the {} asked, so that the queue grows without end; "
                        "{:.0f} of it would bear them.",
                        figure_words(rate), figure_words(asked), std::ceil(asked / rate)));
        return pace;
    }
    add_wait(pace, "The first token", time.ttft, placement.ttft_band, query.ttft_s);
    if (comes_whole(placement.workload.task, placement.architecture, time)) {
        add_wait(pace, "Each", time.step, time.band, query.ttft_s ? query.ttft_s : query.answer_s);
    }
    add_wait(pace, "Each further one", time.tpot, placement.tpot_band, query.tpot_s);
    add_wait(pace,
             fmt::format("An answer of {:g} tokens",
                         placement.workload.serving.value_or(Serving{}).output_tokens),
             whole_answer(time, placement.workload.serving), placement.tpot_band, query.answer_s);
    const double live = placement.workload.serving ? placement.workload.serving->concurrency : 1;
    if (placement.architecture.reads_sound() && live > 1 && time.samples_per_second > 0) {
        add_streams(pace, time, live);
    }
    if (query.requests_per_s && time.samples_per_second > 0) {
        const double rate = time.samples_per_second;
        const double slow = surely_served(time);
        const bool kept = rate >= *query.requests_per_s;
        add_limit(pace, kept, rate >= *query.requests_per_s * time.band.low,
                  fmt::format(" {} requests/s of the {} asked{}.", figure_words(rate),
                              figure_words(*query.requests_per_s),
                              kept && slow < *query.requests_per_s
                                  ? fmt::format(", barely: {} at the slow end", figure_words(slow))
                                  : ""));
    }
    return pace;
}

}  // namespace ridgeline
