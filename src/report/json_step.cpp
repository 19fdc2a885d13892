#include "report/step_report.h"

#include <array>
#include <string_view>
#include <utility>

namespace ridgeline::report {
namespace {

std::string_view kind_word(Event::Kind kind) {
    static constexpr std::array<std::string_view, 10> words = {
        "take", "give", "carry", "run", "collective", "copy", "wait", "mark", "loop", "end"};
    return words[static_cast<std::size_t>(kind)];
}

}  // namespace

Json step_json(const StepListing& step) {
    Json events = Json::array();
    for (const ListedEvent& event : step.events) {
        events.push_back({{"kind", kind_word(event.kind)},
                          {"stream", name_of(event.stream)},
                          {"depth", event.depth},
                          {"what", event.what},
                          {"bytes", event.bytes.base()},
                          {"alive_bytes", event.alive.base()},
                          {"begin_s", event.begin / second},
                          {"takes_s", event.seconds / second},
                          {"rounds", event.rounds}});
    }
    return {{"micro_batches", step.micro_batches},    {"total_s", step.total / second},
            {"computing_s", step.computing / second}, {"exchanging_s", step.exchanging / second},
            {"waited_s", step.waited / second},       {"events", std::move(events)}};
}

}  // namespace ridgeline::report
