#include "base/text.h"
#include "report/sweep.h"
#include "report/table.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline::report {
namespace {

bool runs(const SweepPoint& point) {
    return point.answer && point.answer->estimate.memory.fits &&
           point.answer->estimate.time.step / second > 0;
}

const SweepPoint* first_running(const SweepAnswer& answer) {
    const auto first = std::ranges::find_if(answer.points, runs);
    return first == answer.points.end() ? nullptr : &*first;
}

std::string unit_of(const std::string& field) {
    return field == "sequence" ? "tokens a sample" : field;
}

Series relative_series(const SweepAnswer& answer, const SweepPoint& first) {
    const SweepFigures start = figures_of(*first.answer);
    Series series{.name = "time of " + start.unit};
    for (const SweepPoint& point : answer.points) {
        if (!runs(point)) {
            continue;
        }
        const double seconds = figures_of(*point.answer).seconds;
        const TimeEstimate& time = point.answer->estimate.time;
        const double low = time.run ? time.run->low / time.run->total : time.band.low;
        const double high = time.run ? time.run->high / time.run->total : time.band.high;
        series.points.push_back({.x = point.value,
                                 .y = seconds / start.seconds,
                                 .low = seconds * low / start.seconds,
                                 .high = seconds * high / start.seconds,
                                 .label = fmt::format("{:.0f} {}: {}", point.value, answer.field,
                                                      format_duration(seconds))});
    }
    return series;
}

Series cost_series(const SweepAnswer& answer, const SweepPoint& first) {
    const SweepFigures start = figures_of(*first.answer);
    Series series{.name = "cost of " + start.unit};
    for (const SweepPoint& point : answer.points) {
        const auto usd = runs(point) ? figures_of(*point.answer).usd : std::nullopt;
        if (usd && start.usd && *start.usd > 0) {
            series.points.push_back({.x = point.value,
                                     .y = *usd / *start.usd,
                                     .label = fmt::format("{:.0f} {}: {}", point.value,
                                                          answer.field, format_usd(*usd))});
        }
    }
    return series;
}

Series efficiency_series(const SweepAnswer& answer) {
    Series series{.name = "tokens/s of one accelerator"};
    const auto points = scale_points(answer);
    const auto first = std::ranges::find_if(points, &ScalePoint::runs);
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (points[i].runs) {
            const double over = answer.field == "accelerators" ? points[i].size / first->size : 1;
            const double share = points[i].rate / first->rate / over;
            series.points.push_back({.x = points[i].size,
                                     .y = share,
                                     .label = fmt::format("{:.0f} {}: {:.0f} %", points[i].size,
                                                          answer.field, 100 * share)});
        }
    }
    return series;
}

}  // namespace

SweepFigures figures_of(const EstimateAnswer& answer) {
    const TimeEstimate& time = answer.estimate.time;
    const CostEstimate& cost = answer.estimate.cost;
    SweepFigures out;
    if (time.total / second > 0) {
        out = {.seconds = time.total / second, .usd = {}, .unit = "the run"};
        if (cost.usd_total > 0) {
            out.usd = cost.usd_total;
        }
        return out;
    }
    const bool tokens = time.tokens_per_second > 0;
    const double rate = tokens ? time.tokens_per_second / 1e6 : time.samples_per_second / 1e3;
    out = {.seconds = rate > 0 ? 1 / rate : 0,
           .usd = {},
           .unit = tokens ? "1M tokens" : "1000 samples"};
    if (cost.usd_per_hour > 0 && rate > 0) {
        out.usd = cost.usd_per_hour / 3600 / rate;
    }
    return out;
}

std::string subject_of(const SweepAnswer& answer) {
    std::optional<Workload> shown;
    for (const SweepPoint& point : answer.points) {
        if (point.answer && !shown) {
            shown = point.answer->workload;
        } else if (point.answer && point.answer->workload.framework != shown->framework) {
            shown->framework = "stack by row";
        }
    }
    return shown ? workload_line(answer.architecture, *shown) : std::string();
}

std::vector<ScalePoint> scale_points(const SweepAnswer& answer) {
    std::vector<ScalePoint> out;
    for (const SweepPoint& point : answer.points) {
        ScalePoint scale{.size = point.value, .rate = 0, .runs = runs(point)};
        if (scale.runs) {
            const TimeEstimate& time = point.answer->estimate.time;
            scale.rate = time.work_per_second();
        }
        out.push_back(scale);
    }
    return out;
}

std::optional<ScaleLimit> limit_of(const SweepAnswer& answer) {
    const auto points = scale_points(answer);
    return answer.field == "accelerators" ? accelerator_limit(points) : rate_limit(points);
}

namespace {

/// Where the best rate is and what the last value that runs has of it, when it falls again.
std::string falling_words(const SweepAnswer& answer) {
    std::vector<ScalePoint> points = scale_points(answer);
    std::erase_if(points, [](const ScalePoint& point) { return !point.runs; });
    const auto best = std::ranges::max_element(points, {}, &ScalePoint::rate);
    const auto least =
        std::min_element(best, points.end(),
                         [](const ScalePoint& a, const ScalePoint& b) { return a.rate < b.rate; });
    if (best == points.end() || least->rate >= enough_of_the_best * best->rate) {
        return "";
    }
    return fmt::format("The best rate here is at {} = {}; at {} it is {:.0f} % of that.",
                       answer.field, grouped(best->size), grouped(least->size),
                       100 * least->rate / best->rate);
}

}  // namespace

std::string limit_sentence(const SweepAnswer& answer) {
    const auto limit = limit_of(answer);
    if (!limit) {
        return fmt::format("None of these values of {} runs.", answer.field);
    }
    if (answer.field != "accelerators") {
        if (const std::string falls = falling_words(answer); !falls.empty()) {
            return falls;
        }
        return fmt::format("From {} = {} on the rate is within {:.0f} % of the best here.",
                           answer.field, grouped(limit->last_paying),
                           100 * (1 - enough_of_the_best));
    }
    if (!limit->next) {
        return fmt::format(
            "Scaling pays up to {} accelerators, the end of this sweep: the last "
            "ones added give {:.0f} % of what the first ones give.",
            grouped(limit->last_paying), 100 * limit->marginal);
    }
    return fmt::format(
        "Scaling stops paying at {} accelerators: those added up to {} give {:.0f} % "
        "of what the first ones give.",
        grouped(limit->last_paying), grouped(*limit->next), 100 * limit->marginal);
}

Plot sweep_plot(const SweepAnswer& answer) {
    Plot plot{.title = fmt::format("{} over {}", answer.architecture.id, answer.field),
              .description = limit_sentence(answer),
              .x = {.label = unit_of(answer.field), .scale = Scale::logarithmic},
              .y = {.label = "multiple of the first", .scale = Scale::logarithmic}};
    const SweepPoint* first = first_running(answer);
    if (first == nullptr) {
        return plot;
    }
    plot.title = fmt::format("{} over {}", subject_of(answer), answer.field);
    for (const SweepPoint& point : answer.points) {
        plot.x.ticks.push_back(point.value);
    }
    plot.series = {relative_series(answer, *first)};
    Series cost = cost_series(answer, *first);
    if (!cost.points.empty()) {
        plot.series.push_back(std::move(cost));
    }
    plot.series.push_back(efficiency_series(answer));
    plot.series.back().color = 2;
    return plot;
}

}  // namespace ridgeline::report
