#include "cli/asked.h"
#include "cli/commands.h"
#include "cli/routes.h"
#include "report/budget_report.h"

namespace ridgeline::cli {

Result<Answer> run(const CommonOptions& common, const AdviseOptions& options) {
    const auto world = load_world(common);
    if (!world) {
        return tl::unexpected(world.error());
    }
    auto asked = ask(options, *world);
    if (!asked) {
        return tl::unexpected(asked.error());
    }
    if (asked->reading) {
        return route(common, *asked, *world);
    }
    Answer answer;
    answer.messages = notes_of(*world) + asked->messages;
    if (asks_about_money_alone(asked->query)) {
        const BudgetAnswer budget = budget_answer_on(*asked, *world);
        answer.out = common.json ? report::budget_json(budget, stamp_of(world->catalog))
                                 : report::budget_text(budget, style_of(common));
        answer.exit_code = budget.buy.empty() && budget.rent.empty() ? 3 : 0;
        return answer;
    }
    const auto advice = advice_on(*asked, *world);
    if (!advice) {
        return tl::unexpected(advice.error());
    }
    answer.out = common.json ? report::advice_json(*advice, stamp_of(world->catalog))
                             : report::advice_text(*advice, style_of(common));
    answer.exit_code = advice->options.empty() ? 3 : 0;
    return answer;
}

}  // namespace ridgeline::cli
