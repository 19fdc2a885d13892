#include "base/text.h"
#include "report/kernel_report.h"
#include "report/table.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

namespace ridgeline::report {
namespace {

std::string rate_figure_of(double rate) {
    return rate >= 100 ? grouped(std::round(rate)) : fmt::format("{:.3g}", rate);
}

std::string rate_words(const KernelEstimate& estimate) {
    return fmt::format("{} {}", rate_figure_of(estimate.rate), estimate.work.unit);
}

/// The rate; what is simulated in a day with its range, since that is what was asked.
std::string asked_rate(const KernelEstimate& estimate) {
    return rate_words(estimate) + (estimate.work.unit == "ns/day" && estimate.low > 0
                                       ? fmt::format(" ({} to {})",
                                                     rate_figure_of(estimate.rate / estimate.high),
                                                     rate_figure_of(estimate.rate / estimate.low))
                                       : "");
}

std::string range_words(const KernelOn& on) {
    return fmt::format("{} to {}",
                       format_duration(on.seconds() * on.estimate.low),
                       format_duration(on.seconds() * on.estimate.high));
}

std::string bound_words(const KernelEstimate& estimate) {
    switch (estimate.bound) {
        case Bound::compute:
            return "arithmetic";
        case Bound::memory:
            return "memory bandwidth";
        case Bound::overhead:
            return "launches";
        case Bound::communication:
            return "the links between devices";
        case Bound::input:
            return "copies over the host link";
    }
    return "";
}

std::string name_of_place(const Cluster& cluster) {
    const Accelerator& part = *cluster.accelerator;
    return cluster.count > 1      ? fmt::format("{} {}", cluster.count, part.name)
           : part.devices_seen > 1 ? fmt::format("one of the {} devices of {}", part.devices_seen, part.name)
                                   : part.name;
}

std::string short_name(const Cluster& cluster) {
    return cluster.count > 1 ? fmt::format("{}:{}", cluster.accelerator->id, cluster.count)
                             : cluster.accelerator->id;
}

/// Where each place has a problem as large as its memory, rates compare, not times.
bool sized_by_memory(const KernelAnswer& answer) {
    return answer.kernel.operation == "hpl" && answer.kernel.size.empty() && answer.kernel.elements == 0;
}

/// Seconds of the same work: of a problem as large as the memory, those of a FLOP.
double seconds_alike(const KernelAnswer& answer, const KernelOn& on) {
    const double flops = on.estimate.work.flops.base();
    return sized_by_memory(answer) && flops > 0 ? on.seconds() / flops : on.seconds();
}

const KernelOn& fastest(const KernelAnswer& answer) {
    return *std::min_element(
        answer.places.begin(), answer.places.end(), [&](const auto& a, const auto& b) {
            return a.estimate.fits != b.estimate.fits ? a.estimate.fits : seconds_alike(answer, a) < seconds_alike(answer, b);
        });
}

std::string parts_table(const KernelOn& on, const Style& style) {
    Table table({"part", ">time", ">FLOP", ">bytes", "bound"});
    table.may_leave_out(2);
    const auto figure = [](double value) {
        return value > 0 ? fmt::format("{:.3g}", value) : std::string();
    };
    for (const KernelPartTime& part : on.estimate.parts) {
        table.add({std::string(part.name),
                   format_duration(part.time / second),
                   figure(part.flops.base()),
                   figure(part.traffic.base()),
                   std::string(name_of(part.bound))});
    }
    return table.text(style, 2);
}

std::string places_table(const KernelAnswer& answer, const Style& style) {
    const std::string unit(answer.places.front().estimate.work.unit);
    Table table({"on", ">time", ">range", ">" + unit, "bound", ">$/1M runs"});
    table.may_leave_out(5);
    table.may_leave_out(4);
    for (const KernelOn& on : answer.places) {
        table.add({short_name(on.cluster) + (on.estimate.fits ? "" : " (too small)"),
                   format_duration(on.seconds()),
                   range_words(on),
                   rate_figure_of(on.estimate.rate),
                   std::string(name_of(on.estimate.bound)),
                   on.usd_per_hour > 0 ? format_usd(on.usd_per_million()) : ""});
    }
    return table.text(style);
}

std::string memory_text(const KernelOn& on, const Style& style) {
    const KernelEstimate& estimate = on.estimate;
    const double need = estimate.work.resident / gibibyte;
    if (estimate.capacity.base() <= 0) {
        return "";
    }
    std::string words = fmt::format(
        "{} of {} on each device", format_gib(need), format_gib(estimate.capacity / gibibyte));
    if (!estimate.fits) {
        words = alarm("does not fit: " + words, style);
    }
    return paragraph(strong("Memory", style) + "  ", words, style);
}

std::string explained(const KernelOn& on, const Style& style) {
    std::string out;
    for (const KernelPartTime& part : on.estimate.parts) {
        out += paragraph("  " + std::string(part.name) + "  ",
                         part.formula.empty() ? std::string("no formula") : part.formula,
                         style);
        std::string rests;
        const auto add = [&](const std::string& words) {
            rests += (rests.empty() ? "" : ", ") + words;
        };
        if (part.peak.base() > 0 && part.flops.base() > 0) {
            add(fmt::format("{:.3g} of {:.4g} TFLOP/s",
                            part.compute_fraction,
                            part.peak / teraflop_per_second));
        }
        if (part.bandwidth_fraction > 0 && part.traffic.base() > 0) {
            add(fmt::format("{:.3g} of {:.4g} GB/s",
                            part.bandwidth_fraction,
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
        table.add({way.words,
                   format_duration(way.seconds),
                   fmt::format("{:.3g} x", way.against),
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

std::string kernel_fit_sentence(const KernelAnswer& answer) {
    const KernelOn& best = fastest(answer);
    return fmt::format("{}: its arrays and work areas take {} of {}{} on {}.",
                       best.estimate.fits ? "Yes" : "No",
                       format_gib(best.estimate.work.resident / gibibyte),
                       format_gib(best.estimate.capacity / gibibyte),
                       best.cluster.count > 1 ? " of each" : "",
                       name_of_place(best.cluster));
}

namespace {

/// What does it for the least rent, and what the fastest costs.
std::string cheapest_sentence(const KernelAnswer& answer, const std::string& what) {
    const KernelOn& cheap = answer.places.front();
    const KernelOn& fast = fastest(answer);
    std::string beside;
    if (fast.cluster.accelerator != cheap.cluster.accelerator) {
        beside = fmt::format("; the fastest, {}, takes {}", name_of_place(fast.cluster), format_duration(fast.seconds()));
        beside += fast.usd_per_hour > 0 ? fmt::format(" for {}", format_usd(fast.usd_per_million())) : ", its rent is not known";
    }
    return fmt::format("{} is cheapest on {}: {} for a million runs by rent, each {} ({}), {}, bound by {}{}.",
                       what, name_of_place(cheap.cluster), format_usd(cheap.usd_per_million()), format_duration(cheap.seconds()),
                       range_words(cheap), asked_rate(cheap.estimate), bound_words(cheap.estimate), beside);
}

}  // namespace

std::string kernel_sentence(const KernelAnswer& answer) {
    const KernelOn& best = fastest(answer);
    std::string what = fmt::format("{} in {}", best.estimate.work.title, name_of(answer.type));
    what.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(what.front())));
    const std::string figures = fmt::format("{} ({}), {}, bound by {}",
                                            format_duration(best.seconds()),
                                            range_words(best),
                                            asked_rate(best.estimate),
                                            bound_words(best.estimate));
    const std::string where = name_of_place(best.cluster);
    if (!best.estimate.fits) {
        return fmt::format("{} If it fitted: {} in {}.", kernel_fit_sentence(answer), what, figures);
    }
    if (answer.places.size() == 1) {
        return fmt::format("{} on {} takes {}.", what, where, figures);
    }
    if (answer.by_cost) {
        return cheapest_sentence(answer, what);
    }
    const KernelOn* next = nullptr;
    for (const KernelOn& on : answer.places) {
        const bool other = on.cluster.accelerator != best.cluster.accelerator ||
                           on.cluster.count != best.cluster.count;
        if (other && on.estimate.fits && (next == nullptr || seconds_alike(answer, on) < seconds_alike(answer, *next))) {
            next = &on;
        }
    }
    std::string beside;
    constexpr double a_tie = 1.005;
    if (next != nullptr && seconds_alike(answer, *next) < a_tie * seconds_alike(answer, best)) {
        beside = fmt::format("; {} {}", name_of_place(next->cluster), sized_by_memory(answer) ? "is as fast" : "takes as long");
    } else if (next != nullptr && sized_by_memory(answer)) {
        beside = fmt::format("; {} reaches {}", name_of_place(next->cluster), rate_words(next->estimate));
    } else if (next != nullptr) {
        beside = fmt::format("; {} takes {:.3g} times as long ({})",
                             name_of_place(next->cluster),
                             next->seconds() / best.seconds(),
                             format_duration(next->seconds()));
    }
    return fmt::format("{} is fastest on {}: {}{}.", what, where, figures, beside);
}

std::string kernel_text(const KernelAnswer& answer, const Style& style, bool headed) {
    std::string out = headed ? "" : paragraph("", kernel_sentence(answer), style);
    const KernelOn& first = answer.places.size() == 1 ? answer.places.front() : fastest(answer);
    if (answer.places.size() > 1) {
        out += places_table(answer, style);
    } else {
        out += parts_table(first, style) + memory_text(first, style);
        if (first.usd_per_hour > 0) {
            out += paragraph(strong("Price", style) + "  ",
                             fmt::format("{} an hour ({}), {} for a million runs",
                                         format_usd(first.usd_per_hour),
                                         first.offer->provider,
                                         format_usd(first.usd_per_million())),
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
                                     name_of(answer.type),
                                     first.cluster.accelerator->name),
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
