#include "advise/search/remedies.h"
#include "report/check_report.h"

#include <fmt/format.h>

namespace ridgeline::report {

namespace {

/// Of a verdict that a later step brings: which one, and how the first fares.
std::string deciding_step(const CheckAnswer& answer) {
    for (const CheckedStep& step : answer.steps) {
        const CheckedStep& first = answer.steps.front();
        if (step.counts && step.verdict == answer.verdict) {
            return &step == &first ? ""
                                   : fmt::format(" ({}; {}: {})", step.step, first.step,
                                                 name_of(first.verdict));
        }
    }
    return "";
}

/// That a load runs or is served in part alone, which memory says nothing of.
std::string part_of_load(const CheckAnswer& answer) {
    for (const CheckedStep& step : answer.steps) {
        if (!step.waits() || step.verdict == CheckVerdict::does_not_fit) {
            continue;
        }
        return step.served_per_s < step.requests_per_s
                   ? fmt::format(", but not at that rate: of {:.3g} requests/s it serves {:.3g}",
                                 step.requests_per_s, step.served_per_s)
                   : fmt::format(", {:.0f} of {:.0f} requests at once, the others wait",
                                 step.running, step.requests);
    }
    return "";
}

}  // namespace

std::string check_text(const CheckAnswer& answer) {
    std::string text =
        fmt::format("{} on {}: **{}**{}{}\n\n", answer.subject, answer.hardware,
                    name_of(answer.verdict), deciding_step(answer), part_of_load(answer));
    text +=
        "| step | verdict | peak GiB | range GiB | free GiB |\n"
        "| --- | --- | ---: | ---: | ---: |\n";
    for (const CheckedStep& step : answer.steps) {
        text += fmt::format("| {} ({}) | {}{} | {:.1f} | {:.1f} to {:.1f} | {:.1f} |\n", step.step,
                            step.what, name_of(step.verdict), step.counts ? "" : ", not asked",
                            step.peak_gib, step.low_gib, step.high_gib, step.free_gib);
    }
    if (!answer.uncounted.empty()) {
        text += "\nMoves memory and is not in the figures:\n";
    }
    for (const std::string& uncounted : answer.uncounted) {
        text += "- " + uncounted + "\n";
    }
    if (!answer.remedies.empty()) {
        text += "\nWhat would help:\n";
    }
    for (const Remedy& remedy : answer.remedies) {
        text += fmt::format("- {} (`{}`){}\n", remedy.change, remedy.flags,
                            remedy.fits ? ": fits then" : "");
    }
    if (!answer.open.empty()) {
        text += "\nNot known, so not checked:\n";
    }
    for (const std::string& open : answer.open) {
        text += "- " + open + "\n";
    }
    return text;
}

}  // namespace ridgeline::report
