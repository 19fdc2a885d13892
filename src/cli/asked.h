#pragma once

#include "advise/advise.h"
#include "advise/budget.h"
#include "advise/reading.h"
#include "base/result.h"
#include "cli/options.h"
#include "cli/world.h"

#include <optional>
#include <string>
#include <vector>

namespace ridgeline::cli {

/// A question as read: in words, as flags or as a workload file.
struct Asked {
    Query query;
    std::vector<std::string> assumptions;
    std::optional<Reading> reading;    ///< of a question in words
    std::vector<std::string> unknown;  ///< words of the question
    std::string messages;              ///< what was not understood, for stderr
    bool length_open = false;          ///< the run has no length, so a budget was taken for buying
};
Result<Asked> ask(const AdviseOptions& options, const World& world);

/// No model is named, but a sum or a number of accelerators: what is it good for?
bool asks_about_money_alone(const Query& query);
BudgetAnswer budget_answer_on(const Asked& asked, const World& world);

/// The advice on a question. A budget that buys nothing is taken for renting instead.
Result<Advice> advice_on(Asked& asked, const World& world);

}  // namespace ridgeline::cli
