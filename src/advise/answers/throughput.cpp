#include "advise/answers/throughput.h"

#include "advise/answers/rate_words.h"
#include "base/text.h"
#include "spec/hardware_names.h"

#include <fmt/format.h>

namespace ridgeline {

Answer reply_throughput(const Reading& reading, const Placement& placement) {
    const std::string where = model_of(placement) + room_words(reading, placement) + " on " +
                              cards_words(placement.cluster);
    const bool text = placement.estimate.time.tpot > Seconds{} && !reading.answers_at_once;
    Answer reply = placement.workload.task == Task::inference && text
                       ? decoding_reply(reading, placement, where)
                       : sample_reply(reading, placement, where);
    reply.choice = choice_of(placement);
    return reply;
}

void add_one_at_a_time(const Placement& alone, Answer& reply) {
    const TimeEstimate& time = alone.estimate.time;
    reply.values.push_back(time_value("one at a time", time.step, time.band, "s", 1));
    if (!reply.headline.empty() && reply.headline.back() == '.') {
        reply.headline.pop_back();
    }
    reply.headline += fmt::format(
        "; one by itself takes {} ({} to {}).", format_duration(*reply.values.back().mid),
        format_duration(*reply.values.back().low), format_duration(*reply.values.back().high));
}

}  // namespace ridgeline
