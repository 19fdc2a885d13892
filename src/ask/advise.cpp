#include "ask/question.h"
#include "ask/commands.h"
#include "ask/routes.h"
#include "ask/traced.h"
#include "report/budget_report.h"

namespace ridgeline::ask {

Result<Reply> answer_advise(const World& world, const Request& request) {
    if (request.given("rehearsed")) {
        return answer_rehearsed(world, request);
    }
    auto question = question_of(request, world);
    if (!question) {
        return tl::unexpected(question.error());
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
    const auto advice = advice_on(*question, world);
    if (!advice) {
        return tl::unexpected(advice.error());
    }
    answer.body = request.json() ? report::advice_json(*advice, stamp_of(world.catalog))
                             : report::advice_text(*advice, request.style);
    answer.exit_code = advice->options.empty() ? 3 : 0;
    return answer;
}

}  // namespace ridgeline::ask
