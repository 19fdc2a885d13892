#include "base/text.h"
#include "report/step_report.h"
#include "report/table.h"

#include <fmt/format.h>

namespace ridgeline::report {
namespace {

bool about_tensors(Event::Kind kind) {
    return kind == Event::Kind::take || kind == Event::Kind::give || kind == Event::Kind::wait;
}

std::string event_words(const ListedEvent& event) {
    const std::string indent(static_cast<std::size_t>(2 * event.depth), ' ');
    switch (event.kind) {
        case Event::Kind::take:
            return fmt::format("{}+ {}", indent, event.what);
        case Event::Kind::give:
            return fmt::format("{}- {}", indent, event.what);
        case Event::Kind::loop:
            return fmt::format("{}{}, the first:", indent, event.what);
        case Event::Kind::collective:
            return fmt::format("{}{}, {}", indent, event.what, format_gib(event.bytes / gibibyte));
        default:
            return indent + event.what;
    }
}

}  // namespace

std::string step_text(const StepListing& step, const Style& style) {
    std::string head = fmt::format("kernels {}", format_duration(step.computing / second));
    if (step.exchanging > Seconds{}) {
        head += fmt::format(", exchanges {} of which {} are waited for",
                            format_duration(step.exchanging / second),
                            format_duration(step.waited / second));
    }
    if (step.micro_batches > 1) {
        head += fmt::format(" in the last of {} micro-batches", step.micro_batches);
    }
    if (!style.explain) {
        head += "; --explain adds every tensor";
    }
    std::string out = paragraph(strong("Step", style) + "    ", head, style);
    Table table({">at, ms", ">takes, ms", ">alive", "stream", "event"});
    table.may_leave_out(3);
    const auto milliseconds = [](Seconds time) {
        return fmt::format("{:.3f}", time / millisecond);
    };
    for (const ListedEvent& event : step.events) {
        if (!style.explain && about_tensors(event.kind)) {
            continue;
        }
        const bool timed = event.seconds > Seconds{};
        const bool aside = event.stream != Stream::compute;
        table.add({timed ? milliseconds(event.begin) : "", timed ? milliseconds(event.seconds) : "",
                   format_gib(event.alive / gibibyte),
                   aside ? std::string(name_of(event.stream)) : "", event_words(event)});
    }
    return out + table.text(style, 2);
}

}  // namespace ridgeline::report
