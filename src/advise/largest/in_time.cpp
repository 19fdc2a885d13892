#include "advise/largest/in_time.h"

#include "advise/search/time_limits.h"
#include "base/text.h"

#include <fmt/format.h>

namespace ridgeline {

Query pace_wanted(const Reading& reading) {
    Query wanted;
    wanted.ttft_s = reading.ttft_s;
    wanted.tpot_s = reading.tpot_s;
    wanted.answer_s = reading.answer_s;
    return wanted;
}

bool soon_enough(const Query& query, const Workload& workload, const TimeEstimate& time,
                 double first, double further) {
    return (!query.answer_s ||
            whole_answer(time, workload.serving) / second * further <= *query.answer_s) &&
           (!query.ttft_s || time.ttft / second * first <= *query.ttft_s) &&
           (!query.tpot_s || time.tpot / second * further <= *query.tpot_s);
}

std::string target_words(const Query& query) {
    std::string words;
    if (query.ttft_s) {
        words += " with the first token within " + format_duration(*query.ttft_s);
    }
    if (query.tpot_s) {
        words += fmt::format("{} at {:.3g} tokens/s or more", words.empty() ? "" : " and",
                             1 / *query.tpot_s);
    }
    if (query.answer_s) {
        words += (words.empty() ? " with" : " and") + std::string(" each answer within ") +
                 format_duration(*query.answer_s);
    }
    return words;
}

}  // namespace ridgeline
