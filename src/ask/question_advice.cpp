#include "advise/hardware/offers.h"
#include "advise/reading/reading.h"
#include "ask/question.h"
#include "ask/stated_plan.h"
#include "base/lists.h"
#include "base/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

// What is advised on a question, and what it says beside where nothing fits.

namespace ridgeline::ask {

namespace {

/// Where nothing that can be had fits: the best of what nobody is known to sell or rent.
void add_unobtainable(const Query& asked, const Architecture& architecture,
                      const Knowledge& knowledge, Advice& advice) {
    std::map<std::string, std::string> reasons;
    for (const Rejection& rejection : advice.rejections) {
        if (rejection.reason == "no_offer") {
            reasons.emplace(rejection.accelerator, rejection.message);
        }
    }
    Query query = asked;
    query.all = true;
    query.accelerators.clear();
    for (const auto& [id, why] : reasons) {
        query.accelerators.push_back(id);
    }
    auto more = reasons.empty()
                    ? Result<Advice>(Advice{})
                    : ridgeline::advise(query, architecture, knowledge, AdviceExtent::options);
    const bool by_money = asked.objective == Objective::price || asked.objective == Objective::cost;
    if (more && !more->options.empty() && by_money) {
        // What has no price is ordered by none: of as many the fastest.
        query.objective = Objective::time;
        query.max_accelerators = more->options.front().cluster.count;
        auto fast = ridgeline::advise(query, architecture, knowledge, AdviceExtent::options);
        more = fast && !fast->options.empty() ? std::move(fast) : std::move(more);
    }
    if (more && !more->options.empty()) {
        advice.unobtainable = std::move(more->options.front());
        advice.unobtainable_why = reasons[advice.unobtainable->cluster.accelerator->id];
        advice.none_is_priced = std::none_of(
            advice.rejections.begin(), advice.rejections.end(), [&](const Rejection& each) {
                return !reasons.contains(each.accelerator) &&
                       is_among(each.reason,
                                {"memory_exceeded", "too_slow", "over_budget", "over_power"});
            });
    }
}

/// Whether the sum buys what trains with quantised weights, where nobody said that they are whole.
bool is_bought_for_qlora(const Query& query, const Advice& advice) {
    return query.method_open && query.buy && query.budget_usd && advice.options.empty() &&
           std::ranges::any_of(advice.other_methods, [](const MethodAnswer& other) {
               return other.method == Method::qlora && other.smallest &&
                      other.smallest->unobtainable.empty();
           });
}

}  // namespace

Result<Advice> advice_on(Question& question, const World& world, AdviceExtent extent) {
    const auto architecture = completed(question.query.workload, world);
    if (!architecture) {
        Error error = architecture.error();
        if (!question.unknown.empty()) {
            error.hint += " Not understood: " + joined(question.unknown, ", ") + ".";
        }
        return tl::unexpected(std::move(error));
    }
    if (const auto runs = stated_plan_runs(*architecture, question.query); !runs) {
        return tl::unexpected(runs.error());
    }
    const std::string date = today();
    const Knowledge knowledge = knowledge_of(world, date);
    auto advice = ridgeline::advise(question.query, *architecture, knowledge, extent);
    if (advice && is_bought_for_qlora(question.query, *advice)) {
        question.query.method_open = false;
        question.query.workload.method = Method::qlora;
        advice = ridgeline::advise(question.query, *architecture, knowledge, extent);
    }
    const bool open = question.length_open && !question.query.workload.dataset_samples &&
                      !question.query.workload.duration_samples;
    if (advice && advice->options.empty() && open && question.query.budget_usd) {
        question.query.buy = false;
        question.query.workload.duration_tokens = usual_tuning_tokens;
        question.query.objective = Objective::cost;  // who cannot buy a card has little to spend
        question.assumptions = {fmt::format(
            "nothing within the budget can be bought that runs it, so it is taken for renting; a "
            "run of {} tokens is assumed (say \"on 20M tokens\")",
            format_count(usual_tuning_tokens))};
        advice = ridgeline::advise(question.query, *architecture, knowledge, extent);
    }
    if (advice && advice->options.empty() && !question.query.all) {
        add_unobtainable(question.query, *architecture, knowledge, *advice);
    }
    if (advice) {
        advice->assumptions.insert(advice->assumptions.begin(), question.assumptions.begin(),
                                   question.assumptions.end());
    }
    return advice;
}

}  // namespace ridgeline::ask
