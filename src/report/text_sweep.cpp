#include "base/text.h"
#include "report/sweep.h"
#include "report/table.h"
#include "report/text_chart.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline::report {
namespace {

std::string whole_percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

std::string unit_of_figures(const SweepAnswer& answer) {
    for (const SweepPoint& point : answer.points) {
        if (point.answer) {
            return figures_of(*point.answer).unit;
        }
    }
    return "1M tokens";
}

/// A choice of the plan that nobody swept and that is not the same in every row.
struct MovedChoice {
    std::string name;
    std::string (*value)(const EstimateAnswer&);
};

std::vector<MovedChoice> moved_choices(const SweepAnswer& answer) {
    std::vector<MovedChoice> choices{
        {"stack", [](const EstimateAnswer& each) { return each.workload.framework; }},
        {"micro", [](const EstimateAnswer& each) { return grouped(each.workload.batch.micro); }},
        {"batch", [](const EstimateAnswer& each) { return grouped(each.workload.batch.global); }}};
    std::erase_if(choices, [&](const MovedChoice& choice) {
        const EstimateAnswer* first = nullptr;
        bool moved = false;
        for (const SweepPoint& point : answer.points) {
            if (!point.answer || point.answer->workload.task != Task::train) {
                continue;
            }
            first = first == nullptr ? &*point.answer : first;
            moved = moved || choice.value(*first) != choice.value(*point.answer);
        }
        const bool swept =
            answer.field == choice.name ||
            (answer.field == "micro-batch" && choice.name == "micro") ||
            (answer.field == "accelerators" && choice.name == "batch" && !answer.fixed_batch);
        return swept || !moved;
    });
    return choices;
}

std::vector<std::string> row_of(const SweepAnswer& answer, std::size_t i) {
    const SweepPoint& point = answer.points[i];
    const EstimateAnswer& estimate = *point.answer;
    const TimeEstimate& time = estimate.estimate.time;
    const SweepFigures figures = figures_of(estimate);
    const MemoryEstimate& memory = estimate.estimate.memory;
    std::vector<std::string> row{grouped(point.value), plan_line(estimate.workload)};
    for (const MovedChoice& choice : moved_choices(answer)) {
        row.push_back(choice.value(estimate));
    }
    const std::vector<std::string> figures_of_row{
        memory.fits ? fmt::format("{:.1f}", memory.process / gibibyte) : "too big",
        grouped(time.work_per_second()), whole_percent(time.mfu), format_duration(figures.seconds),
        figures.usd ? format_usd(*figures.usd) : "-"};
    row.insert(row.end(), figures_of_row.begin(), figures_of_row.end());
    if (answer.field == "accelerators") {
        const auto gain = gains_of(scale_points(answer))[i];
        row.push_back(gain ? whole_percent(gain->efficiency) : "-");
        row.push_back(gain && gain->marginal ? whole_percent(*gain->marginal) : "-");
    }
    return row;
}

std::string table_text(const SweepAnswer& answer, const Style& style) {
    const bool tokens = unit_of_figures(answer) != "1000 samples";
    std::vector<std::string> columns{
        ">" + (answer.field == "accelerators" ? "parts" : answer.field), "plan"};
    for (const MovedChoice& choice : moved_choices(answer)) {
        columns.push_back((choice.name == "stack" ? "" : ">") + std::string(choice.name));
    }
    columns.insert(columns.end(),
                   {">GiB", tokens ? ">tokens/s" : ">samples/s", ">MFU", ">time", ">cost"});
    if (answer.field == "accelerators") {
        columns.emplace_back(">kept");
        columns.emplace_back(">added");
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
        const auto gains = gains_of(scale_points(answer));
        if (std::any_of(gains.begin(), gains.end(),
                        [](const auto& gain) { return gain && gain->efficiency > 1.01; })) {
            out +=
                " More than 100 % is kept where more memory in all allows a plan that recomputes "
                "or splits "
                "less, or a stack that needs several.";
        }
        return out;
    }
    return out + " on the same accelerators.";
}

}  // namespace

std::string sweep_text(const SweepAnswer& answer, const Style& style) {
    std::string out;
    for (const SweepPoint& point : answer.points) {
        if (point.answer) {
            out = strong(subject_of(answer), style) + "\n" + "on " +
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
