#include "advise/validation/rehearsed_fit.h"
#include "base/text.h"
#include "report/rehearsal_report.h"
#include "report/table.h"

#include <fmt/format.h>

#include <map>

namespace ridgeline::report {
namespace {

constexpr std::size_t groups_shown = 8;
constexpr std::size_t reads_shown = 6;

std::string gib(Bytes bytes) { return fmt::format("{:.2f} GiB", bytes / gibibyte); }

std::string phase_text(const std::string& phase, int step) {
    if (phase == "step") {
        return fmt::format("step {}", step);
    }
    if (phase == "after") {
        return fmt::format("after step {}", step);
    }
    return step > 0 ? fmt::format("{} after step {}", phase, step) : phase;
}

std::string phases_text(const RehearsedDevice& device, const Rehearsal& rehearsal,
                        const Style& style) {
    Table table({"phase", ">allocated", ">reserved", ">process"});
    for (const RehearsedPhase& phase : device.phases) {
        table.add({phase_text(phase.phase, phase.step), gib(phase.allocated), gib(phase.reserved),
                   gib(phase.reserved + rehearsal.context)});
    }
    return table.text(style, 2);
}

/// Groups of one kind and line in one row: a line makes tensors in several modules.
std::string groups_text(const RehearsedDevice& device, const Style& style) {
    Table table({"at the peak", ">GiB", "made by"});
    Bytes rest;
    for (std::size_t i = 0; i < device.groups.size(); ++i) {
        const RehearsedGroup& group = device.groups[i];
        if (i >= groups_shown) {
            rest = rest + group.bytes;
            continue;
        }
        std::string by = group.line;
        if (!group.module.empty()) {
            append(by, " in ", group.module);
        }
        table.add({group.kind, fmt::format("{:.2f}", group.bytes / gibibyte), by});
    }
    if (rest > Bytes{}) {
        table.add({"the rest", fmt::format("{:.2f}", rest / gibibyte), ""});
    }
    return table.text(style, 2);
}

/// "train.py:42 (3)" for lines whose reads were answered with assumed values.
std::string assumed_reads_text(const RehearsedPass& values, int& count) {
    std::map<std::string, int> lines;
    for (const RehearsedRead& read : values.reads) {
        if (read.assumed > 0) {
            lines[read.at] += read.assumed;
            count += read.assumed;
        }
    }
    std::string text;
    std::size_t shown = 0;
    for (const auto& [line, reads] : lines) {
        if (++shown > reads_shown) {
            return text + fmt::format(" and {} other lines", lines.size() - reads_shown);
        }
        append(text, ", ", fmt::format("{} ({})", line, reads));
    }
    return text;
}

std::string notes_text(const Rehearsal& rehearsal, const Style& style) {
    std::string text;
    const auto line = [&](const std::string& words) {
        text += wrap("  " + words, style.width, 4) + "\n";
    };
    int count = 0;
    const std::string lines = assumed_reads_text(rehearsal.values, count);
    if (count > 0) {
        line(fmt::format("assumed: {} of the values that the script read from the card, at {}",
                         count, lines));
    }
    for (const std::string& size : rehearsal.told().assumed) {
        line("assumed: " + size);
    }
    for (const std::string& what : not_rehearsed(rehearsal)) {
        line("not rehearsed: " + what);
    }
    return text;
}

std::string card_text(const Rehearsal& rehearsal, const Style& style) {
    const RehearsedDevice* peak = rehearsal.told().fullest();
    std::string text =
        strong(fmt::format("{}{}: {}", rehearsal.accelerator,
                           rehearsal.count > 1 ? fmt::format(":{}", rehearsal.count) : "",
                           word_of(rehearsal.fit)),
               style) +
        "\n";
    if (peak == nullptr) {
        return text;
    }
    text += fmt::format("  peak {}{}: allocated {:.2f}, reserved {:.2f}, process {:.2f} of {}\n",
                        peak->phase == "after" ? "" : "in ", phase_text(peak->phase, peak->step),
                        peak->allocated / gibibyte, peak->reserved / gibibyte,
                        (peak->reserved + rehearsal.context) / gibibyte, gib(rehearsal.capacity));
    if (rehearsal.told().devices.size() > 1) {
        text += fmt::format("  of {}, card {}, the fullest of {}\n", peak->process, peak->device,
                            rehearsal.told().devices.size());
    }
    if (const std::string remedy = rehearsed_remedy(rehearsal); !remedy.empty()) {
        text += wrap("  " + remedy, style.width, 2) + "\n";
    }
    text += phases_text(*peak, rehearsal, style) + groups_text(*peak, style);
    return text + notes_text(rehearsal, style);
}

/// How long a step takes there, with its range and what it waits for.
std::string step_text(const TimeEstimate& time, const Style& style) {
    std::string parts;
    for (const TimeComponent& component : time.components) {
        append(parts, ", ",
               fmt::format("{} {}", component.name, format_duration(component.time / second)));
    }
    return wrap(fmt::format("  a step there: {}, bound by {}: {}",
                            duration_range(time.step, time.band), name_of(time.bound), parts),
                style.width, 4) +
           "\n";
}

/// What the script with one change takes, a line each.
std::string tried_text(const std::vector<TriedChange>& tried, const Style& style) {
    std::string text;
    for (const TriedChange& change : tried) {
        const std::string said =
            change.ended.empty()
                ? fmt::format("{}, allocated {:.2f}, reserved {}", word_of(change.fit),
                              change.allocated / gibibyte, gib(change.reserved))
                : change.ended;
        text += wrap(fmt::format("  tried: {}: {}", change.change, said), style.width, 4) + "\n";
    }
    return text;
}

/// How far the formulas are off, and in which tensors.
std::string difference_text(const FormulaDifference& difference, const RehearsedDevice& device,
                            const Style& style) {
    std::string text = fmt::format(
        "  by the formulas: allocated {:.2f} ({:+.0f} %), reserved {} ({:+.0f} %)",
        difference.allocated / gibibyte, (difference.allocated / device.allocated - 1) * 100,
        gib(difference.reserved), (difference.reserved / device.reserved - 1) * 100);
    if (const KindOfTensors* largest = difference.largest()) {
        text += fmt::format("; what differs most are {}: rehearsed {:.2f}, by formula {}",
                            largest->kind, largest->rehearsed / gibibyte, gib(largest->estimated));
    }
    return wrap(text, style.width, 4) + "\n";
}

std::string largest_text(const LargestValue& value, const Rehearsal& rehearsal) {
    const std::string card = rehearsal.accelerator;
    if (!value.largest) {
        return fmt::format("{}: no {} fits\n", card, value.name);
    }
    std::string text = fmt::format("{}: largest {} {}", card, value.name, *value.largest);
    if (value.refused) {
        text += fmt::format(" ({} does not fit)", *value.refused);
    } else if (!value.ended.empty()) {
        text += fmt::format(" ({})", value.ended);
    }
    return text + "\n";
}

}  // namespace

std::string_view word_of(RehearsedFit fit) {
    switch (fit) {
        case RehearsedFit::yes:
            return "fits";
        case RehearsedFit::barely:
            return "barely fits";
        case RehearsedFit::no:
            break;
    }
    return "does not fit";
}

std::vector<std::string> not_rehearsed(const Rehearsal& rehearsal) {
    const RehearsedPass& pass = rehearsal.told();
    std::vector<std::string> out = pass.left_out;
    if (pass.out_of_time) {
        out.push_back("what the script does after the limit of time");
    }
    if (pass.unlike_reads > 0) {
        out.push_back(
            fmt::format("{} reads of the measured run were not those of the run that computed "
                        "values: it took another way",
                        pass.unlike_reads));
    }
    if (pass.large_reads > 0) {
        out.push_back(
            fmt::format("the contents of {} reads of more than 64 KiB", pass.large_reads));
    }
    out.push_back(
        "workspaces that cuDNN and cuBLAS would choose by themselves (docs/rehearsal.md)");
    if (!pass.saved.empty()) {
        out.push_back(
            fmt::format("the contents of {}; they were kept out of their place "
                        "(--scratch DIR shows them)",
                        counted_noun(static_cast<double>(pass.saved.size()), "saved file")));
    }
    return out;
}

std::string rehearsal_text(const RehearsalAnswer& answer, const Style& style) {
    std::string text;
    for (std::size_t i = 0; i < answer.cards.size(); ++i) {
        const Rehearsal& card = answer.cards[i];
        if (i < answer.largest.size() && answer.largest[i]) {
            text += largest_text(*answer.largest[i], card);
        }
        text += (i > 0 && answer.largest.empty() ? "\n" : "");
        text += answer.largest.empty() || style.explain ? card_text(card, style) : "";
        if (i < answer.tried.size()) {
            text += tried_text(answer.tried[i], style);
        }
        const RehearsedDevice* peak = card.told().fullest();
        if (i < answer.difference.size() && answer.difference[i] && peak != nullptr) {
            text += difference_text(*answer.difference[i], *peak, style);
        }
        if (i < answer.steps_taken.size() && answer.steps_taken[i]) {
            text += step_text(*answer.steps_taken[i], style);
        }
    }
    if (!answer.cards.empty()) {
        const Rehearsal& last = answer.cards.back();
        text +=
            fmt::format("torch {}, {}, {:.0f} s on this machine, no kernel was run\n",
                        last.values.torch, counted_noun(last.told().steps, "step"), last.seconds);
    }
    if (!answer.snapshot.empty()) {
        text += "memory snapshot: " + answer.snapshot + " (pytorch.org/memory_viz opens it)\n";
    }
    return text;
}

}  // namespace ridgeline::report
