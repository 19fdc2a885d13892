#include "advise/search/remedies.h"
#include "base/order.h"
#include "base/text.h"
#include "estimate/families/families.h"
#include "report/cost_text.h"
#include "report/load_words.h"
#include "report/option_words.h"
#include "report/report.h"
#include "report/step_report.h"
#include "report/table.h"
#include "spec/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline::report {
namespace {

constexpr int bar_width = 28;

/// "  name   figure  ####", without blanks at the end.
std::string bar_line(std::string_view name, const std::string& figure, double share,
                     const Style& style) {
    const std::string filled = style.bars ? bar(share, bar_width, style) : "";
    return fmt::format("  {:<26} {:>10}{}{}\n", cut(name, 26), figure, filled.empty() ? "" : "  ",
                       filled);
}

std::string memory_line(const MemoryEstimate& memory, const Style& style) {
    const double peak = memory.process / gibibyte;
    const double spare = memory.headroom() / gibibyte;
    const std::string verdict =
        memory.verdict == FitVerdict::barely
            ? alarm(fmt::format("barely fits with {} to spare", format_gib(spare)), style) +
                  fmt::format(" ({})", text_of(memory.barely_by))
        : memory.fits ? fmt::format("fits with {} to spare", format_gib(spare))
        : spare >= 0
            ? alarm(fmt::format("the host lacks memory for {} a node",
                                format_gib(memory.host / gibibyte)),
                    style)
            : alarm(fmt::format("does not fit, short by {}", format_gib(std::max(0.0, -spare))),
                    style);
    return paragraph(strong("Memory", style) + "  ",
                     fmt::format("{} of {} ({}), {}", format_gib(peak),
                                 format_gib((memory.capacity - memory.unclaimed) / gibibyte),
                                 gib_range(peak, memory.band), verdict),
                     style);
}

std::string components_text(const MemoryEstimate& memory, const Style& style) {
    if (memory.peak_instant >= memory.instants.size()) {
        return {};
    }
    const Instant& peak = memory.instants[memory.peak_instant];
    std::vector<Component> components = peak.components;
    stable_order(components.begin(), components.end(),
                 [](const auto& a, const auto& b) { return a.size > b.size; });
    std::string out = fmt::format("  held at the peak ({}):\n", peak.name);
    const auto line = [&](std::string_view name, Bytes size) {
        if (size / mebibyte >= 0.5) {
            out += bar_line(name, format_gib(size / gibibyte), size / memory.process, style);
        }
    };
    for (const Component& component : components) {
        line(component.name, component.size);
    }
    line("allocator reserve", memory.reserved - memory.allocated);
    line("context and libraries", memory.process - memory.reserved);
    if (memory.kv_capacity_tokens > 0 && memory.host >= 1 * gibibyte) {
        out += fmt::format("  and {} in the host's memory\n", format_gib(memory.host / gibibyte));
    }
    if (memory.kv_capacity_tokens > 0) {
        out += fmt::format("  room for {} tokens of cache in all\n",
                           grouped(memory.kv_capacity_tokens));
    }
    return out;
}

std::string formulas_text(const MemoryEstimate& memory, const Style& style) {
    if (memory.peak_instant >= memory.instants.size()) {
        return {};
    }
    std::string out = "  how each part is made:\n";
    for (const Component& component : memory.instants[memory.peak_instant].components) {
        out += paragraph("  ",
                         fmt::format("{} = {} = {}", component.name, component.formula,
                                     format_gib(component.size / gibibyte)),
                         style);
        std::string inputs;
        for (const FormulaInput& input : component.inputs) {
            if (!input.name.empty()) {
                append(inputs, ", ", fmt::format("{} = {:.12g}", input.name, input.value));
            }
        }
        if (!inputs.empty()) {
            out += paragraph("      ", "with " + inputs, style);
        }
        if (!component.source.empty()) {
            out += paragraph("      ", fmt::format("from {}", component.source), style);
        }
    }
    return out;
}

std::string kept_text(const std::vector<KeptTensor>& kept) {
    std::string out;
    std::string_view block;
    for (const KeptTensor& tensor : kept) {
        if (tensor.size.base() <= 0) {
            continue;
        }
        if (tensor.block != block) {
            block = tensor.block;
            const std::string each =
                tensor.repeats > 1 ? fmt::format(" each of {} layers", tensor.repeats) : "";
            out += fmt::format("  kept for the backward pass by \"{}\"{}:\n", block, each);
        }
        out +=
            fmt::format("  {:<32} {:>9.2f} MiB = {:.0f} tokens x {:.6g} B\n", tensor.name,
                        tensor.size / mebibyte, tensor.tokens, tensor.size.base() / tensor.tokens);
    }
    return out;
}

std::string instants_text(const MemoryEstimate& memory, const Style& style) {
    std::string out = "  tensors alive at each instant:\n";
    Bytes highest;
    for (const Instant& instant : memory.instants) {
        highest = std::max(highest, instant.total);
    }
    for (const Instant& instant : memory.instants) {
        out += bar_line(instant.name, format_gib(instant.total / gibibyte),
                        highest.base() > 0 ? instant.total / highest : 0, style);
    }
    return out;
}

/// Whole above ten, else with the digits that tell slow from nothing.
std::string rate_digits(double rate) {
    return rate < 9.995 ? fmt::format("{:.3g}", rate) : grouped(rate);
}

std::string rate_line(const EstimateAnswer& answer) {
    const TimeEstimate& time = answer.estimate.time;
    std::string out = fmt::format("{} tokens/s", rate_digits(time.tokens_per_second));
    if (time.tokens_per_second <= 0) {
        const bool program = has_program(answer.architecture);
        const std::string_view unit = program ? unit_of(answer.architecture) : "samples";
        const double rate = time.samples_per_second;
        out = takes_long_each(time) ? fmt::format("{:.4g} {} an hour", 3600 * rate, unit)
                                    : fmt::format("{:.4g} {}/s", rate, unit);
    } else if (answer.cluster.count > 1) {
        out +=
            fmt::format(" ({} each)", rate_digits(time.tokens_per_second / answer.cluster.count));
    }
    return out;
}

/// The run beyond its steps, in two or three lines.
std::string run_text(const TimeEstimate& time) {
    const LongRun& run = *time.run;
    const auto share = [&](Seconds part) { return 100 * (part / run.total); };
    std::string out = "  the whole run: " + duration_range(run.total, run.low, run.high) + "\n";
    out += fmt::format(
        "  of it steps {:.1f} %, evaluation {:.1f} %, checkpoints {:.1f} %, "
        "restarts {:.1f} %\n",
        share(run.steps), share(run.evaluation), share(run.checkpoints), share(run.restarts));
    constexpr double told_below = 0.9;
    if (const double advancing = time.band.high * run.steps / run.high; advancing < told_below) {
        out += fmt::format(
            "  at the upper end steps take {:.0f} % of it: days are lost as in published logs\n",
            100 * advancing);
    }
    if (run.interruptions >= 0.1) {
        out += fmt::format("  an interruption every {}: a checkpoint of {} every {} loses least\n",
                           format_duration(run.between_interruptions / second),
                           format_gib(run.checkpoint / gibibyte),
                           format_duration(run.checkpoint_interval / second));
    }
    return out;
}

/// When answers begin and how fast they go on; an encoder gives its whole answer with the first
/// pass.
std::string served_text(const EstimateAnswer& answer, const Style& style) {
    const TimeEstimate& time = answer.estimate.time;
    std::string each;
    if (time.tpot > Seconds{}) {
        each =
            fmt::format("first token {}, then {} each", duration_range(time.ttft, answer.ttft_band),
                        duration_range(time.tpot, answer.tpot_band));
    } else if (time.ttft > Seconds{}) {
        each = "answer after " + duration_range(time.ttft, answer.ttft_band);
    }
    return (each.empty() ? each : paragraph("  ", each, style)) +
           fmt::format("  {:.3g} requests/s, {}-bound\n", time.requests_per_second,
                       name_of(time.bound));
}

std::string time_text(const EstimateAnswer& answer, const Style& style) {
    const TimeEstimate& time = answer.estimate.time;
    const double step = time.step / second;
    std::string out =
        paragraph(strong("Time", style) + "    ",
                  fmt::format("{} {}, {}",
                              time.round                            ? "a round takes"
                              : answer.workload.task == Task::train ? "a step takes"
                                                                    : "a batch of requests takes",
                              duration_range(time.step, time.band), rate_line(answer)),
                  style);
    if (answer.workload.task == Task::train) {
        out += fmt::format("  MFU {:.0f} %, {}-bound\n", 100 * time.mfu, name_of(time.bound));
    } else if (answer.workload.serving) {
        out += served_text(answer, style);
    }
    if (time.load && time.load->requests > 1) {
        out += load_text(*time.load, style);
    }
    for (const TimeComponent& component : time.components) {
        if (component.time / second > 0.005 * step) {
            out += bar_line(component.name, format_duration(component.time / second),
                            component.time / time.step, style);
        }
    }
    if (time.run) {
        out += run_text(time);
    } else if (time.total / second > 0) {
        out += fmt::format("  the whole run: {}\n", format_duration(time.total / second));
    }
    return out;
}

std::string placed_words(const EstimateAnswer& answer) {
    const bool shared = shares_tables(answer.architecture) && answer.workload.plan.data > 1;
    std::string placed =
        fmt::format("on {}, plan {}{}, micro-batch {}, global {}", cluster_line(answer.cluster),
                    plan_line(answer.workload), shared ? " with tables over all ranks" : "",
                    answer.workload.batch.micro, answer.workload.batch.global);
    if (answer.workload.batch.sequence_length > 0) {
        placed += fmt::format(" x {} tokens", answer.workload.batch.sequence_length);
    }
    if (const Batch& batch = answer.workload.batch; batch.image_size > 0) {
        const int height = batch.image_height > 0 ? batch.image_height : batch.image_size;
        placed += height == batch.image_size
                      ? fmt::format(" x {} px", height)
                      : fmt::format(" x {} x {} px", height, batch.image_size);
    }
    return placed;
}

std::string details_text(const EstimateAnswer& answer, const Style& style) {
    std::string out = strong("Defaults", style) + "\n";
    for (const FilledDefault& filled : answer.defaults) {
        out += paragraph(
            "  ", fmt::format("{} = {} (from {})", filled.field, filled.value, filled.from), style);
    }
    out += strong("What the figures rest on", style) + "\n";
    for (const Provenance& entry : answer.provenance) {
        out += paragraph("  ",
                         fmt::format("{}: {} [{}] {} {}", entry.figure, entry.value,
                                     name_of(entry.tier), entry.source, entry.date),
                         style);
    }
    return out;
}

}  // namespace

std::string findings_text(const std::vector<Finding>& findings, const Style& style) {
    static constexpr const char* marks[] = {"note", "warning", "error"};
    std::string out;
    for (const Finding& finding : findings) {
        const std::string mark = marks[static_cast<int>(finding.severity)];
        const std::string label =
            finding.severity == Severity::error ? alarm(mark, style) : strong(mark, style);
        out += paragraph(label + ": ", finding.message, style);
    }
    return out;
}

namespace {

/// What is estimated and where.
std::string subject_text(const EstimateAnswer& answer, const Style& style) {
    std::string out = workload_line(answer.architecture, answer.workload) + "\n" +
                      paragraph("", placed_words(answer), style);
    if (!answer.note.empty()) {
        out += answer.note + "\n";
    }
    if (answer.searched) {
        out += searched_text(*answer.searched, style);
    }
    return out;
}

std::string memory_text(const EstimateAnswer& answer, const Style& style) {
    std::string out =
        memory_line(answer.estimate.memory, style) + components_text(answer.estimate.memory, style);
    if (style.explain) {
        out += formulas_text(answer.estimate.memory, style) + kept_text(answer.kept) +
               instants_text(answer.estimate.memory, style);
    }
    return out;
}

std::string notes_text(const EstimateAnswer& answer, const Style& style) {
    std::string out = "\n" + cost_text(answer, style);
    std::vector<Finding> findings = answer.findings;
    std::erase_if(findings, [](const Finding& each) { return each.rule == "no_offer"; });
    if (!findings.empty()) {
        out += "\n" + findings_text(findings, style);
    }
    if (style.explain && !answer.front.empty()) {
        out += "\n" + front_text(answer.workload, answer.front, style);
    }
    if (style.explain) {
        out += "\n" + details_text(answer, style);
    }
    return out;
}

}  // namespace

std::string estimate_text(const EstimateAnswer& answer, const Style& style) {
    std::string out = paragraph("", estimate_sentence(answer), style);
    out.pop_back();
    out =
        strong(out, style) + "\n" + subject_text(answer, style) + "\n" + memory_text(answer, style);
    if (answer.step) {
        out += "\n" + step_text(*answer.step, style);
    }
    return out + "\n" + time_text(answer, style) + notes_text(answer, style);
}

std::string time_first_text(const EstimateAnswer& answer, const Style& style) {
    const std::string memory =
        style.explain ? memory_text(answer, style) : memory_line(answer.estimate.memory, style);
    return subject_text(answer, style) + "\n" + time_text(answer, style) + "\n" + memory +
           notes_text(answer, style);
}

std::string remedies_text(const EstimateAnswer& before, const std::vector<Remedy>& remedies,
                          const Style& style) {
    const MemoryEstimate& memory = before.estimate.memory;
    std::string out = strong(workload_line(before.architecture, before.workload), style) + "\non " +
                      cluster_line(before.cluster) + "\n" + memory_line(memory, style) + "\n";
    if (remedies.empty()) {
        return out + "No change of the workload would help here.\n";
    }
    Table table({"fits", ">saves", ">peak", ">time", "change, and how to ask for it"});
    for (const Remedy& remedy : remedies) {
        const double ratio = remedy.after.time.step / remedy.before.time.step;
        if (remedy.changes > 1) {
            out += wrap(fmt::format("Together these fit, {} at the peak, {:+.0f} % time: {}",
                                    format_gib(remedy.after.memory.process / gibibyte),
                                    100 * (ratio - 1), remedy.change),
                        style.width, 2) +
                   "\n  " + wrap(remedy.flags, style.width - 2, 2) + "\n\n";
            continue;
        }
        const double saved =
            (remedy.before.memory.process - remedy.after.memory.process) / gibibyte;
        table.add({remedy.fits ? "yes" : "no", saved > 0 ? format_gib(saved) : "-",
                   format_gib(remedy.after.memory.process / gibibyte),
                   fmt::format("{:+.0f} %", 100 * (ratio - 1)), remedy.change});
        table.add({"", "", "", "", "  " + remedy.flags});
    }
    return out + table.text(style);
}

}  // namespace ridgeline::report
