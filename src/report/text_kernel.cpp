#include "base/text.h"
#include "report/kernel_report.h"
#include "report/kernel_words.h"
#include "report/table.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <cctype>

namespace ridgeline::report {
namespace {

std::string short_name(const Cluster& cluster) {
    return cluster.count > 1 ? fmt::format("{}:{}", cluster.accelerator->id, cluster.count)
                             : cluster.accelerator->id;
}

std::string parts_table(const KernelOn& on, const Style& style) {
    Table table({"part", ">time", ">FLOP", ">bytes", "bound"});
    table.may_leave_out(2);
    const auto figure = [](double value) {
        return value > 0 ? fmt::format("{:.3g}", value) : std::string();
    };
    for (const KernelPartTime& part : on.estimate.parts) {
        const bool hidden = part.time <= Seconds{};  // behind what it runs beside
        table.add({std::string(part.name), hidden ? "hidden" : format_duration(part.time / second),
                   figure(part.flops.base()), figure(part.traffic.base()),
                   std::string(name_of(part.bound))});
    }
    return table.text(style, 2);
}

std::string places_table(const KernelAnswer& answer, const Style& style) {
    const std::string unit(answer.places.front().estimate.work.unit);
    Table table(
        {"on", ">time", ">range", ">" + unit, "bound", answer.buys ? ">to buy" : ">$/1M runs"});
    table.may_leave_out(5);
    table.may_leave_out(4);
    for (const KernelOn& on : answer.places) {
        table.add({short_name(on.cluster) + (on.estimate.fits ? "" : " (too small)"),
                   format_duration(on.seconds()), range_words(on), rate_figure_of(on.estimate.rate),
                   std::string(name_of(on.estimate.bound)),
                   answer.buys           ? on.usd_to_buy > 0 ? format_usd(on.usd_to_buy) : ""
                   : on.usd_per_hour > 0 ? format_usd(on.usd_per_million())
                                         : ""});
    }
    return table.text(style);
}

std::string memory_text(const KernelOn& on, const Style& style) {
    const KernelEstimate& estimate = on.estimate;
    const double need = estimate.work.resident / gibibyte;
    if (estimate.capacity.base() <= 0) {
        return "";
    }
    std::string words = fmt::format("{} of {} on each device", format_gib(need),
                                    format_gib(estimate.capacity / gibibyte));
    if (!estimate.fits) {
        words = alarm("does not fit: " + words, style);
    }
    return paragraph(strong("Memory", style) + "  ", words, style);
}

std::string explained(const KernelOn& on, const Style& style) {
    std::string out;
    for (const KernelPartTime& part : on.estimate.parts) {
        out += paragraph("  " + std::string(part.name) + "  ",
                         part.formula.empty() ? std::string("no formula") : part.formula, style);
        std::string rests;
        const auto add = [&](const std::string& words) { append(rests, ", ", words); };
        if (part.peak.base() > 0 && part.flops.base() > 0) {
            add(fmt::format("{:.3g} of {:.4g} TFLOP/s", part.compute_fraction,
                            part.peak / teraflop_per_second));
        }
        if (part.bandwidth_fraction > 0 && part.traffic.base() > 0) {
            add(fmt::format("{:.3g} of {:.4g} GB/s", part.bandwidth_fraction,
                            on.cluster.accelerator->memory_bandwidth / gigabyte_per_second));
        }
        if (part.overhead.base() > 0) {
            add(format_duration(part.overhead / second) + " of launches");
        }
        if (!rests.empty()) {
            out += paragraph("      ", "with " + rests, style);
        }
        if (!part.source.empty()) {
            out +=
                paragraph("      ", fmt::format("[{}] {}", name_of(part.tier), part.source), style);
        }
    }
    const KernelEstimate& estimate = on.estimate;
    out += paragraph("  counted  ", std::string(estimate.work.source), style);
    out += paragraph("  range  ",
                     estimate.evidence_rows > 0 ? fmt::format("from {} published rows of this kind",
                                                              estimate.evidence_rows)
                                                : "assumed: no published row of this kind",
                     style);
    const double intensity = estimate.work.traffic.base() > 0
                                 ? estimate.work.flops.base() / estimate.work.traffic.base()
                                 : 0;
    if (intensity > 0) {
        out += paragraph("  intensity  ", fmt::format("{:.3g} FLOP a byte", intensity), style);
    }
    return out;
}

std::string cpu_text(const KernelAnswer& answer, const Style& style) {
    if (answer.cpu_ways.empty()) {
        return "";
    }
    Table table({"on " + answer.cpu, ">time", ">against", ">with copies"});
    for (const CpuWay& way : answer.cpu_ways) {
        table.add({way.words, format_duration(way.seconds), fmt::format("{:.3g} x", way.against),
                   fmt::format("{:.3g} x", way.against_copied)});
    }
    return "\n" + table.text(style) +
           paragraph(
               "  ",
               fmt::format("Against {}: what a GPU wins rests on how the CPU is used. A plain "
                           "loop waits four clocks for each multiply-add of one core; a tuned "
                           "library fills all vector units of all cores. Copies cross the host "
                           "link once each way.",
                           fastest(answer).cluster.accelerator->name),
               style);
}

}  // namespace

std::string kernel_text(const KernelAnswer& answer, const Style& style, bool headed) {
    std::string out = headed ? "" : paragraph("", kernel_sentence(answer), style);
    const KernelOn& first = answer.places.size() == 1 ? answer.places.front() : fastest(answer);
    if (answer.places.size() > 1) {
        out += places_table(answer, style);
    } else {
        out += parts_table(first, style) + memory_text(first, style);
        constexpr double a_long_run = 1;  // seconds, of which nobody does a million
        if (first.usd_per_hour > 0) {
            out += paragraph(
                strong("Price", style) + "  ",
                fmt::format("{} an hour ({}){}", format_usd(first.usd_per_hour),
                            first.offer->provider,
                            first.seconds() < a_long_run
                                ? fmt::format(", {} for a million runs",
                                              format_usd(first.usd_per_million()))
                                : ", " + format_usd(first.usd_per_million() / 1e6) + " a run"),
                style);
        }
    }
    out += cpu_text(answer, style);
    for (const std::string& note : first.estimate.work.notes) {
        out += paragraph("note: ", note, style);
    }
    if (first.estimate.peak_assumed && first.estimate.bound == Bound::compute) {
        out += paragraph("note: ",
                         fmt::format("the catalog has no {} rate of {}: the usual ratio of its "
                                     "architecture is assumed",
                                     type_words(answer.type), first.cluster.accelerator->name),
                         style);
    }
    for (const std::string& reason : answer.left_out) {
        out += paragraph("note: ", reason, style);
    }
    if (style.explain) {
        out +=
            fmt::format("How {} was found:\n", short_name(first.cluster)) + explained(first, style);
    }
    return out;
}

}  // namespace ridgeline::report
