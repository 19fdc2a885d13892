#include "advise/pace.h"

#include "advise/answer.h"
#include "base/text.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>

namespace ridgeline {

Pace pace_of(const Placement& placement, const Query& query) {
    const TimeEstimate& time = placement.estimate.time;
    Pace pace;
    const auto wait = [&](std::string_view what, Seconds took, const Interval& band, std::optional<double> most) {
        if (!most || took <= Seconds{}) {
            return;
        }
        const double seconds = took / second;
        const bool within = seconds <= *most;
        pace.middle = pace.middle && within;
        pace.at_best = pace.at_best && seconds * band.low <= *most;
        pace.words += fmt::format(" {} comes after {} ({} to {}), {} the {} asked.",
                                  what,
                                  format_duration(seconds),
                                  format_duration(seconds * band.low),
                                  format_duration(seconds * band.high),
                                  within ? "within" : "later than",
                                  format_duration(*most));
    };
    if (placement.workload.task == Task::train) {
        if (query.deadline_s && time.total > Seconds{}) {
            const double seconds = time.total / second;
            const double low = time.run ? time.run->low / second : seconds * time.band.low;
            pace.middle = seconds <= *query.deadline_s;
            pace.at_best = low <= *query.deadline_s;
            pace.words = fmt::format(" The run takes {}, {} the {} asked.",
                                     format_duration(seconds),
                                     pace.middle ? "within" : "longer than",
                                     format_duration(*query.deadline_s));
        }
        return pace;
    }
    wait("The first token", time.ttft, placement.ttft_band, query.ttft_s);
    wait("Each further one", time.tpot, placement.tpot_band, query.tpot_s);
    // Each live stream is a window of its own, and needs as many seconds of sound heard a second.
    const double live = placement.workload.serving ? placement.workload.serving->concurrency : 1;
    if (placement.architecture.reads_sound() && live > 1 && time.samples_per_second > 0) {
        const double heard = time.samples_per_second * audio_window_s;
        pace.middle = pace.middle && heard >= live;
        pace.at_best = pace.at_best && heard >= live * time.band.low;
        pace.words += fmt::format(" It hears {} times real time ({} to {}): {:g} live streams {}.",
                                  figure_words(heard),
                                  figure_words(heard / time.band.high),
                                  figure_words(heard / time.band.low),
                                  live,
                                  heard >= live ? "keep up" : "do not keep up");
    }
    if (query.requests_per_s && time.samples_per_second > 0) {
        const double rate = time.samples_per_second;
        pace.middle = pace.middle && rate >= *query.requests_per_s;
        pace.at_best = pace.at_best && rate >= *query.requests_per_s * placement.estimate.time.band.low;
        pace.words += fmt::format(" {} requests/s of the {} asked.",
                                  figure_words(rate),
                                  figure_words(*query.requests_per_s));
    }
    return pace;
}

}  // namespace ridgeline
