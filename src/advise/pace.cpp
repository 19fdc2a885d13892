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
        // The range is told where the limit lies in it: else it decides nothing.
        const bool open = (seconds * band.low <= *most) != (seconds * band.high <= *most);
        const std::string told = fmt::format(
            " {} comes after {}{}, {} the {} asked.",
            what,
            format_duration(seconds),
            open ? fmt::format(" ({} to {})", format_duration(seconds * band.low), format_duration(seconds * band.high)) : std::string(),
            within ? "within" : "later than",
            format_duration(*most));
        pace.words += told;
        pace.missed += within ? std::string() : told;
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
            pace.missed = pace.middle ? std::string() : pace.words;
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
        const std::string told = fmt::format(" It hears {} times real time ({} to {}): {:g} live streams {}.",
                                  figure_words(heard),
                                  figure_words(heard / time.band.high),
                                  figure_words(heard / time.band.low),
                                  live,
                                  heard >= live ? "keep up" : "do not keep up");
        pace.words += told;
        pace.missed += heard >= live ? std::string() : told;
    }
    if (query.requests_per_s && time.samples_per_second > 0) {
        const double rate = time.samples_per_second;
        pace.middle = pace.middle && rate >= *query.requests_per_s;
        pace.at_best = pace.at_best && rate >= *query.requests_per_s * placement.estimate.time.band.low;
        const std::string told =
            fmt::format(" {} requests/s of the {} asked.", figure_words(rate), figure_words(*query.requests_per_s));
        pace.words += told;
        pace.missed += rate >= *query.requests_per_s ? std::string() : told;
    }
    return pace;
}

}  // namespace ridgeline
