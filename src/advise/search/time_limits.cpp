#include "advise/search/time_limits.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline {
namespace {

// Whoever says what there is, and how many, is told how long it takes.
bool count_is_stated(const Query& query) {
    return query.exact_accelerators || query.max_accelerators || query.owned || query.all;
}

}  // namespace

bool takes_months(const Query& query, const Workload& workload, const TimeEstimate& time) {
    return workload.task == Task::train && !query.deadline_s && !count_is_stated(query) &&
           query.accelerators.empty() && time.total > longest_run_waited_for;
}

Seconds slow_end(const TimeEstimate& time) {
    return time.run ? time.run->high : time.total * time.band.high;
}

bool barely_in_time(const Query& query, const TimeEstimate& time) {
    return query.deadline_s && time.total > Seconds{} && time.total / second <= *query.deadline_s &&
           slow_end(time) / second > *query.deadline_s;
}

std::optional<double> rate_barely_kept(const Query& query, const TimeEstimate& time) {
    const double wanted = query.requests_per_s.value_or(0);
    const double slow = time.requests_per_second / std::max(1.0, time.band.high);
    return wanted > 0 && time.requests_per_second >= wanted && slow < wanted ? std::optional(slow)
                                                                             : std::nullopt;
}

/// "15 tokens a second" is told to two digits: what comes to that much is fast enough.
constexpr double within_rounding = 1.005;

Seconds whole_answer(const TimeEstimate& time, const std::optional<Serving>& serving) {
    const double further = serving.value_or(Serving{}).output_tokens - 1;
    return time.tpot > Seconds{} ? time.ttft + time.tpot * std::max(0.0, further) : Seconds{};
}

bool barely_keeps(const Query& query, const std::optional<Serving>& serving,
                  const TimeEstimate& time) {
    const double slower = std::max(1.0, time.band.high);
    const auto late = [slower](const std::optional<double>& most, Seconds takes) {
        return most && takes / second <= within_rounding * *most &&
               slower * (takes / second) > *most;
    };
    return barely_in_time(query, time) || rate_barely_kept(query, time).has_value() ||
           late(query.ttft_s, time.ttft) || late(query.tpot_s, time.tpot) ||
           late(query.answer_s, whole_answer(time, serving));
}

bool comes_whole(Task task, const Architecture& architecture, const TimeEstimate& time) {
    return task == Task::inference && architecture.kind == ModelKind::diffusion &&
           time.ttft <= Seconds{} && time.tpot <= Seconds{};
}

std::string late_words(double takes_s, double allowed_s) {
    const std::string takes = format_duration(takes_s);
    const std::string allowed = format_duration(allowed_s);
    return takes == allowed
               ? fmt::format("the run takes a little longer than the {} that are allowed", allowed)
               : fmt::format("the run takes {}, {} are allowed", takes, allowed);
}

Rejection waiting_limit(const Search& search, const Candidate& candidate, int count,
                        const TimeEstimate& time) {
    const Query& query = search.query;
    const auto late = [&](double have, double want, const char* what) {
        return rejection(candidate, count, "too_slow",
                         fmt::format("{} {:.3g} s, at most {:.3g} s wanted", what, have, want),
                         have / want - 1);
    };
    if (query.ttft_s && time.ttft / second > *query.ttft_s) {
        return late(time.ttft / second, *query.ttft_s, "the first token takes");
    }
    const auto most = query.ttft_s ? query.ttft_s : query.answer_s;
    if (most && comes_whole(search.document.task, search.architecture, time) &&
        time.step / second > *most) {
        return late(time.step / second, *most, "each takes");
    }
    if (query.tpot_s && time.tpot / second > within_rounding * *query.tpot_s) {
        return late(time.tpot / second, *query.tpot_s, "a token takes");
    }
    if (const Seconds whole = whole_answer(time, search.document.serving);
        query.answer_s && whole / second > *query.answer_s) {
        return late(whole / second, *query.answer_s, "a whole answer takes");
    }
    return {};
}

Rejection time_limit(const Search& search, const Candidate& candidate, int count,
                     const TimeEstimate& time) {
    const Query& query = search.query;
    if (query.deadline_s && time.total / second > *query.deadline_s) {
        return rejection(candidate, count, "too_slow",
                         late_words(time.total / second, *query.deadline_s),
                         time.total / second / *query.deadline_s - 1);
    }
    if (!query.deadline_s && !count_is_stated(query) && time.total > longest_recommended_run) {
        const double years = time.total / (365 * day);
        return rejection(candidate, count, "too_slow",
                         "the run takes " + (years < 100 ? fmt::format("{:.1f} years", years)
                                                         : format_duration(time.total / second)),
                         time.total / longest_recommended_run - 1);
    }
    if (Rejection waits = waiting_limit(search, candidate, count, time); !waits.reason.empty()) {
        return waits;
    }
    if (query.requests_per_s && time.requests_per_second < *query.requests_per_s) {
        // As many digits as tell the two apart.
        int digits = 3;
        const auto shown = [&digits](double rate) { return fmt::format("{:.{}g}", rate, digits); };
        while (digits < 6 && shown(time.requests_per_second) == shown(*query.requests_per_s)) {
            ++digits;
        }
        return rejection(candidate, count, "too_slow",
                         fmt::format("it serves {} requests/s, {} are wanted",
                                     shown(time.requests_per_second), shown(*query.requests_per_s)),
                         *query.requests_per_s / std::max(1e-9, time.requests_per_second) - 1);
    }
    return {};
}

bool certainly_late(const Search& search, const Candidate& candidate, const Workload& workload,
                    int count, double& days) {
    const double tokens = workload.duration_tokens.value_or(0);
    if (!search.query.deadline_s || tokens <= 0 || workload.task != Task::train) {
        return false;
    }
    const double passes = workload.method == Method::full ? 3 : 2;
    const double rate = candidate.device().peak_of(workload.compute).base() * count;
    const double seconds = rate > 0 ? search.flops_per_token * passes * tokens / rate : 0;
    days = seconds / 86400;
    return seconds > *search.query.deadline_s;
}

}  // namespace ridgeline
