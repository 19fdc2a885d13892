#include "advise/largest/joined_models.h"

#include "advise/fits/joined.h"
#include "advise/largest/models_that_fit.h"
#include "advise/largest/replies.h"
#include "base/text.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>
#include <utility>

// The largest model that cards of several kinds hold together.

namespace ridgeline {

double largest_together(const Reading& reading, const std::string& type, bool surely,
                        const AnswerTools& tools) {
    Reading one = reading;
    one.task = Task::inference;
    one.method.clear();
    one.quantization = type;
    const auto holds = [&](double index) {
        one.model = model_of_size(size_of_index(index));
        WorkloadDocument document = query_of(one).workload;
        document.framework = "llama.cpp";
        const auto architecture = tools.architecture(document);
        const auto joint =
            architecture ? joint_of(one, document, *architecture, tools) : std::nullopt;
        const double slowest = surely ? joint ? joint->rate_low : 0 : joint ? joint->rate : 0;
        return joint && (surely ? joint->verdict == "yes" : joint->verdict != "no") &&
               (!reading.tpot_s || slowest >= 1 / *reading.tpot_s);
    };
    double low = 0;
    double high = largest_size_index + 1;
    if (!holds(low)) {
        return 0;
    }
    while (high - low > 1) {
        const double middle = std::floor((low + high) / 2);
        (holds(middle) ? low : high) = middle;
    }
    return size_of_index(low);
}

std::optional<Answer> reply_largest_joined(const Reading& reading, const AnswerTools& tools) {
    const bool serves = reading.task != Task::train && reading.concurrency.value_or(1) == 1 &&
                        (reading.framework.empty() || reading.framework == "llama.cpp");
    if (reading.joined.empty() || !serves || !reading.model.empty() ||
        !reading.family_models.empty() || reading.extreme != Extreme::model) {
        return std::nullopt;
    }
    using Way = std::pair<std::string, std::string>;
    std::vector<Way> ways = {{"q4_k_m", "in 4 bits"}, {"none", "in 16 bits"}};
    if (!reading.quantization.empty()) {
        ways = {{reading.quantization, "in " + reading.quantization}};
    }
    Answer reply;
    std::string words;
    for (const auto& [type, said] : ways) {
        const double size = largest_together(reading, type, false, tools);
        const double sure = size > 0 ? largest_together(reading, type, true, tools) : 0;
        words += fmt::format("{} {} parameters {}{}", words.empty() ? "" : ",",
                             size > 0 ? format_count(size) : "no", said,
                             sure < size ? fmt::format(" ({} surely)", format_count(sure)) : "");
        reply.values.push_back({"model", sure, size, {}, "parameters", "serving " + said});
    }
    Reading one = reading;
    one.task = Task::inference;
    one.model = model_of_size(reply.values.front().mid.value_or(size_of_index(0)));
    one.quantization = ways.front().first;
    WorkloadDocument document = query_of(one).workload;
    document.framework = "llama.cpp";
    const auto architecture = tools.architecture(document);
    const auto joint = architecture ? joint_of(one, document, *architecture, tools) : std::nullopt;
    if (!joint) {
        return std::nullopt;
    }
    reply.headline = fmt::format(
        "{} together hold{}: dense models; the largest decodes {:.3g} tokens/s ({:.3g} to {:.3g}). "
        "llama.cpp parts the layers by the memory of each card ({}), and a token goes through "
        "all.{}",
        joint->cards, words, joint->rate, joint->rate_low, joint->rate_high, joint->shares,
        reading.task ? "" : " For training each kind is judged alone.");
    return reply;
}

}  // namespace ridgeline
