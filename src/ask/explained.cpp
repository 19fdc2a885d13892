#include "ask/explained.h"

#include "ask/router.h"
#include "base/lists.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ridgeline::ask {
namespace {

/// What a question has for an answer, a sentence; empty: none.
std::string answer_beside(const Request& request, const std::string& question, const World& world) {
    Request other = request;
    other.options["question"] = {question};
    auto asked =
        question.empty() ? Result<Question>(tl::unexpected(Error{})) : question_of(other, world);
    if (!asked || !asked->reading) {
        return "";
    }
    const auto routed = Router(other, *asked, world).run();
    return routed ? " " + routed->reply.headline : "";
}

/// Of a model that nobody named and that does not fit, the smaller one for the same work.
std::string smaller_for_it(const Request& request, const Reading& reading, const Answer& reply,
                           const World& world) {
    static constexpr std::pair<std::string_view, std::string_view> smaller[] = {
        {"sdxl-unet", "stable diffusion 1.5"}, {"wan2.1-t2v-14b-transformer", "wan2.1 t2v 1.3b"}};
    const auto* const found = std::ranges::find_if(
        smaller, [&](const auto& each) { return each.first == reading.model; });
    const bool open = reply.verdict == "no" && assumed_of(reading, "model") != nullptr &&
                      reading.accelerators.size() == 1 && reading.task == Task::inference;
    if (!open || found == std::end(smaller)) {
        return "";
    }
    const std::string words = answer_beside(
        request, fmt::format("can a {} run {}", reading.accelerators.front(), found->second),
        world);
    return words.empty() ? "" : " Of a smaller one:" + words;
}

/// "how long to download a 70b": the time of each type of its weights at two rates of a line.
std::string download_words(const Request& request, const Answer& reply) {
    const std::string asked = lower(joined(request.texts("question"), " "));
    std::string words;
    for (const AnswerValue& each : reply.values) {
        if (asked.find("download") == asked.npos || each.quantity != "weights" || !each.mid) {
            continue;
        }
        constexpr double bits_of_gib = 8 * 1073741824.0;
        const double at_1 = *each.mid * bits_of_gib / 1e9 / 60;
        append(words, ", ",
               fmt::format("{}{:.2g} to {:.2g} minutes {}",
                           words.empty() ? "Loading it over a line of 10 to 1 Gbit/s takes " : "",
                           at_1 / 10, at_1, each.of));
    }
    return words.empty() ? ""
                         : words +
                               ", besides what the host and its disk add; starting reads the "
                               "file once more from the disk. ";
}

}  // namespace

void explain(const Request& request, const Question& asked, const World& world, Answer& reply) {
    reply.headline = asked.lead + (asked.lead.empty() ? "" : " ") + download_words(request, reply) +
                     reply.headline + answer_beside(request, asked.beside, world) +
                     smaller_for_it(request, *asked.reading, reply, world);
}

}  // namespace ridgeline::ask
