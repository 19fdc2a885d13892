#include "advise/answers/beyond_sense.h"

#include "advise/sense.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline {
namespace {

double figure_of(const AnswerValue& value) { return value.mid.value_or(value.low.value_or(0)); }

bool is_beyond(const AnswerValue& value) {
    return !beyond_sense(figure_of(value), value.unit).empty();
}

const AnswerValue* hours_of_work(const Answer& reply) {
    const auto found = std::ranges::find(reply.values, "accelerator_hours", &AnswerValue::quantity);
    return found == reply.values.end() ? nullptr : &*found;
}

const AnswerValue* first_beyond(const Answer& reply) {
    const AnswerValue* work = hours_of_work(reply);
    const bool work_asked = work != nullptr && work == &reply.values.front();
    for (const AnswerValue& value : reply.values) {
        const bool waits = value.quantity == "time" && work_asked;
        if (is_beyond(value) && !waits) {
            return &value;
        }
    }
    for (const Answer& each : reply.answers) {
        if (const AnswerValue* value = first_beyond(each); value != nullptr) {
            return value;
        }
    }
    return nullptr;
}

}  // namespace

std::string beyond_sense(const Answer& reply) {
    const AnswerValue* value = first_beyond(reply);
    return value == nullptr ? "" : beyond_sense(figure_of(*value), value->unit);
}

std::vector<AnswerValue> figures_of_run(const Estimate& estimate) {
    return {{"time", {}, estimate.time.total / hour, {}, "h", ""},
            {"cost", {}, estimate.cost.usd_total, {}, "USD", ""}};
}

Answer refusal_of(const Answer& reply) {
    Answer refusal;
    refusal.headline = fmt::format("That comes to {}.", beyond_sense(reply));
    if (const AnswerValue* work = hours_of_work(reply); work != nullptr && !is_beyond(*work)) {
        refusal.headline +=
            fmt::format(" The work is {} accelerator-hours.", format_count(figure_of(*work)));
        refusal.values = {*work};
    }
    return refusal;
}

}  // namespace ridgeline
