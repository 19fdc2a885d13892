#include "ask/commands.h"
#include "ask/engine_settings.h"
#include "ask/kernel_answer.h"
#include "ask/question.h"
#include "ask/question_options.h"
#include "ask/routes.h"
#include "ask/traced.h"
#include "ask/two_works.h"
#include "ask/workload_options.h"
#include "base/text.h"
#include "report/budget_report.h"

#include <fmt/format.h>

namespace ridgeline::ask {
namespace {

/// `advise --profile scientific-computing`: the kind of work is all that is said of it.
bool asks_for_profile_alone(const Request& request) {
    return request.given("profile") && request.texts("question").empty() &&
           !states_workload(request);
}

Result<Question> profile_question(const Request& request, const World& world) {
    Question question;
    auto query = with_flags(std::move(question.query), request, world.catalog);
    if (!query) {
        return tl::unexpected(query.error());
    }
    question.query = std::move(*query);
    Reading reading;
    reading.profile = question.query.profile;
    if (world.profiles.workload_profile(reading.profile) == nullptr) {
        std::vector<std::string> known;
        for (const WorkloadProfile& profile : world.profiles.workloads) {
            known.push_back(profile.id);
        }
        return usage_error("--profile",
                           "found \"" + reading.profile + "\", expected a kind of work",
                           did_you_mean(reading.profile, known));
    }
    reading.require = question.query.require;
    if (!question.query.vendor.empty()) {
        reading.vendors = {question.query.vendor};
    }
    reading.flags = "--profile " + reading.profile;
    question.reading = std::move(reading);
    return question;
}

}  // namespace

Result<Reply> answer_advise(const World& world, const Request& request) {
    if (request.given("rehearsed")) {
        return answer_rehearsed(world, request);
    }
    const auto& words = request.texts("question");
    const auto works = words.size() == 1 && !states_workload(request)
                           ? two_works_of(words.front(), world)
                           : std::nullopt;
    auto question = asks_for_profile_alone(request) ? profile_question(request, world)
                    : works                         ? question_of_both(*works, request, world)
                                                    : question_of(request, world);
    if (!question) {
        return tl::unexpected(question.error());
    }
    // A line of an engine says what it may take of the card: the flag says the same.
    if (question->reading && question->reading->memory_fraction &&
        question->reading->task != Task::train && !request.given("memory-fraction")) {
        Request said = request;
        said.options["memory-fraction"] = {
            fmt::format("{:g}", *question->reading->memory_fraction)};
        const auto set = world_as_set(world, said);
        return set && *set ? answer_advise(**set, said) : answer_advise(world, said);
    }
    if (question->query.workload.kernel && !question->reading) {
        if (!request.given("objective")) {
            question->query.objective = Objective::time;
        }
        const auto answer = kernel_asked(world, *question);
        return answer ? Result<Reply>(kernel_reply(world, request, *answer))
                      : tl::unexpected(answer.error());
    }
    if (question->reading) {
        return route(request, *question, world);
    }
    Reply answer;
    answer.messages = notes_of(world) + question->messages;
    if (asks_about_money_alone(question->query)) {
        const BudgetAnswer budget = budget_answer_on(*question, world);
        answer.body = request.json() ? report::budget_json(budget, stamp_of(world.catalog))
                                     : report::budget_text(budget, request.style);
        answer.exit_code = budget.buy.empty() && budget.rent.empty() ? 3 : 0;
        return answer;
    }
    const bool whole = request.json() || request.style.explain;
    const auto advice =
        advice_on(*question, world, whole ? AdviceExtent::whole : AdviceExtent::text);
    if (!advice) {
        return tl::unexpected(advice.error());
    }
    answer.body = request.json() ? report::advice_json(*advice, stamp_of(world.catalog))
                                 : report::advice_text(*advice, request.style);
    answer.exit_code = advice->options.empty() ? 3 : 0;
    return answer;
}

}  // namespace ridgeline::ask
