#pragma once

#include "advise/advise.h"
#include "advise/purchase/budget.h"
#include "advise/reading/reading.h"
#include "ask/request.h"
#include "ask/world.h"
#include "base/result.h"

#include <optional>
#include <string>
#include <vector>

namespace ridgeline::ask {

/// A question as read: in words, as flags or as a workload file.
struct Question {
    Query query;
    std::vector<std::string> assumptions;
    std::optional<Reading> reading;    ///< of a question in words
    std::vector<std::string> unknown;  ///< words of the question
    std::string messages;              ///< what was not understood, for stderr
    std::string also;                  ///< of a second work on the same hardware, a sentence
    std::string lead;                  ///< a sentence that explains the answer, before it
    std::string beside;                ///< a question whose answer is told behind it
    bool length_open = false;          ///< the run has no length, so a budget was taken for buying
};

Result<Question> question_of(const Request& request, const World& world);

/// No model is named, but a sum or a number of accelerators: what is it good for?
bool asks_about_money_alone(const Query& query);
BudgetAnswer budget_answer_on(const Question& question, const World& world);

/// The advice on a question. A budget that buys nothing is taken for renting instead.
Result<Advice> advice_on(Question& question, const World& world,
                         AdviceExtent extent = AdviceExtent::whole);

}  // namespace ridgeline::ask
