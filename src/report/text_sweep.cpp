#include "base/text.h"
#include "report/sweep.h"
#include "report/table.h"
#include "report/text_chart.h"

#include <fmt/format.h>

namespace ridgeline::report {
namespace {

std::string whole_percent(double share) {
    return fmt::format("{:.0f} %", 100 * share);
}

std::string unit_of_figures(const SweepAnswer& answer) {
    for (const SweepPoint& point : answer.points) {
        if (point.answer) {
            return figures_of(*point.answer).unit;
        }
    }
    return "1M tokens";
}

std::vector<std::string> row_of(const SweepAnswer& answer, std::size_t i) {
    const SweepPoint& point = answer.points[i];
    const EstimateAnswer& estimate = *point.answer;
    const TimeEstimate& time = estimate.estimate.time;
    const SweepFigures figures = figures_of(estimate);
    const MemoryEstimate& memory = estimate.estimate.memory;
    std::vector<std::string> row{
        grouped(point.value),
        plan_line(estimate.workload),
        memory.fits ? fmt::format("{:.1f}", memory.process / gibibyte) : "too big",
        grouped(time.tokens_per_second > 0 ? time.tokens_per_second : time.samples_per_second),
        whole_percent(time.mfu),
        format_duration(figures.seconds),
        figures.usd ? format_usd(*figures.usd) : "-"};
    if (answer.field == "accelerators") {
        const auto gain = gains_of(scale_points(answer))[i];
        row.push_back(gain ? whole_percent(gain->efficiency) : "-");
        row.push_back(gain && gain->marginal ? whole_percent(*gain->marginal) : "-");
    }
    return row;
}

std::string table_text(const SweepAnswer& answer, const Style& style) {
    const bool tokens = unit_of_figures(answer) != "1000 samples";
    std::vector<std::pair<std::string, Align>> columns{
        {answer.field == "accelerators" ? "parts" : answer.field, Align::right},
        {"plan", Align::left},
        {"GiB", Align::right},
        {tokens ? "tokens/s" : "samples/s", Align::right},
        {"MFU", Align::right},
        {"time", Align::right},
        {"cost", Align::right}};
    if (answer.field == "accelerators") {
        columns.emplace_back("kept", Align::right);
        columns.emplace_back("added", Align::right);
    }
    Table table(columns);
    std::string problems;
    for (std::size_t i = 0; i < answer.points.size(); ++i) {
        const SweepPoint& point = answer.points[i];
        if (point.answer) {
            table.add(row_of(answer, i));
        } else {
            table.add({grouped(point.value), "cannot run"});
            problems +=
                wrap(fmt::format("{}: {}", grouped(point.value), point.problem), style.width, 2) +
                "\n";
        }
    }
    return table.text(style) + problems;
}

std::string reading(const SweepAnswer& answer) {
    std::string out = fmt::format("time and cost of {}", unit_of_figures(answer));
    if (answer.field == "accelerators") {
        out +=
            "; kept: rate of one accelerator against the first line; added: the same of those "
            "added since the line above. ";
        out += answer.fixed_batch ? "The samples of a step stay the same (strong scaling)."
                                  : "Each accelerator keeps its samples (weak scaling).";
        return out;
    }
    return out + " on the same accelerators.";
}

}  // namespace

std::string sweep_text(const SweepAnswer& answer, const Style& style) {
    std::string out;
    for (const SweepPoint& point : answer.points) {
        if (point.answer) {
            out = strong(workload_line(answer.architecture, point.answer->workload), style) + "\n" +
                  "on " +
                  (answer.field == "accelerators"
                       ? point.answer->cluster.accelerator->name + ", " +
                             std::to_string(point.answer->cluster.per_node) + " to a node"
                       : cluster_line(point.answer->cluster)) +
                  "\n\n";
            break;
        }
    }
    out += table_text(answer, style) + wrap(reading(answer), style.width, 0) + "\n\n";
    if (limit_of(answer)) {
        out += plot_text(sweep_plot(answer), style) + "\n";
    }
    return out + wrap(limit_sentence(answer), style.width, 0) + "\n";
}

}  // namespace ridgeline::report
