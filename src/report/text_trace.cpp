#include "base/text.h"
#include "report/rehearsal_report.h"
#include "report/table.h"
#include "report/trace_report.h"
#include "spec/words.h"

#include <fmt/format.h>

namespace ridgeline::report {
namespace {

std::string place_name(const Cluster& cluster) {
    return cluster.count > 1 ? fmt::format("{}:{}", cluster.accelerator->id, cluster.count)
                             : cluster.accelerator->id;
}

std::string summary(const TraceAnswer& answer) {
    double flops = 0, bytes = 0, calls = 0;
    for (const TracedOperator& op : answer.trace.operators) {
        flops += op.flops.base() * op.count;
        bytes += op.traffic.base() * op.count;
        calls += op.count;
    }
    std::string text =
        fmt::format("One step of {} ({}): {:.0f} operators, {:.3g} TFLOP, {:.3g} GiB moved",
                    answer.file, answer.trace.form, calls, flops / 1e12, bytes / gibibyte.base());
    if (!answer.trace.collectives.empty()) {
        double sent = 0;
        for (const TracedCollective& collective : answer.trace.collectives) {
            sent += collective.size.base() * collective.count;
        }
        text += fmt::format(", {:.3g} GiB in collectives", sent / gibibyte.base());
    }
    return text + ".";
}

std::string places_table(const TraceAnswer& answer, const Style& style) {
    const bool memory = !answer.rehearsed_on.empty();
    std::vector<std::string> columns = {"on", ">step", ">range"};
    if (memory) {
        columns.emplace_back(">GiB");
        columns.emplace_back("fit");
    }
    columns.emplace_back("bound by");
    columns.emplace_back(">$/1000 steps");
    Table table(columns);
    for (const TracedPlace& place : answer.places) {
        const double step = place.time.step / second;
        std::vector<std::string> row = {
            place_name(place.cluster), format_duration(step),
            fmt::format("{} to {}", format_duration(step * place.time.band.low),
                        format_duration(step * place.time.band.high))};
        if (memory) {
            row.push_back(fmt::format("{:.1f} of {:.1f}", place.needed.value_or(Bytes{}) / gibibyte,
                                      place.cluster.accelerator->capacity() / gibibyte));
            row.emplace_back(place.fit ? word_of(*place.fit) : "");
        }
        row.emplace_back(name_of(place.time.bound));
        row.push_back(place.usd_per_hour > 0 ? format_usd(1000 * place.usd_per_step()) : "");
        table.add(row);
    }
    return table.text(style);
}

}  // namespace

std::string trace_text(const TraceAnswer& answer, const Style& style) {
    std::string text = wrap(summary(answer), style.width, 0) + "\n";
    if (!answer.measured_on.empty()) {
        text +=
            wrap(fmt::format("Measured on {}: kernels {}, the step {}; the ratio to the "
                             "roofline there scales the other cards.",
                             answer.measured_on, format_duration(answer.trace.measured / second),
                             format_duration(answer.trace.wall / second)),
                 style.width, 0) +
            "\n";
    }
    text += places_table(answer, style);
    if (style.explain || answer.places.size() == 1) {
        for (const TimeComponent& component : answer.places.front().time.components) {
            text += fmt::format("  {:<16} {:>10}  {}\n", component.name,
                                format_duration(component.time / second), name_of(component.bound));
        }
    }
    if (!answer.rehearsed_on.empty()) {
        text += wrap(fmt::format("Memory as rehearsed on {}; another capability may choose other "
                                 "kernels: rehearse --on it before you rent.{}",
                                 answer.rehearsed_on,
                                 answer.left_out > 0
                                     ? fmt::format(" {} kinds of card do not fit.", answer.left_out)
                                     : ""),
                     style.width, 0) +
                "\n";
    }
    if (!answer.trace.unknown_names.empty()) {
        const std::string names = joined(answer.trace.unknown_names, ", ");
        text += wrap("not timed by what they compute, only by the bytes they move: " + names,
                     style.width, 0) +
                "\n";
    }
    return text;
}

}  // namespace ridgeline::report
