#include "advise/search/thrifty.h"

#include "advise/plans/plan_search.h"
#include "advise/search/bench.h"

#include <algorithm>
#include <utility>

namespace ridgeline {
namespace {

// Of the usual training plans the one of least memory, or the best where some fit.
std::optional<Workload> leanest_plan(const Search& search, const Candidate& candidate,
                                     const SoftwareProfile& software, const Cluster& cluster,
                                     const Workload& base) {
    const LinkModel* links = &search.models->links(cluster);
    const Bench bench{search, candidate, software, cluster, links, {}};
    const PlanSpace space =
        usual_space(base, search.architecture, software, cluster, search.freedom);
    const PlanSearch found = search_plans(bench.input(base), space,
                                          {.objective = search.query.objective,
                                           .comfortable = share_left_free(bench.input(base)),
                                           .cache = search.blocks.get()});
    const std::optional<FoundPlan>& plan = found.best ? found.best : found.leanest;
    return plan ? std::optional(with_plan(base, *plan)) : std::nullopt;
}

}  // namespace

std::optional<ThriftyPlan> thrifty_plan(const Search& search, const Candidate& candidate,
                                        int count) {
    const auto stacks = software_for(search, *candidate.accelerator, count);
    if (stacks.empty() || stacks.back() == nullptr) {
        return std::nullopt;
    }
    const SoftwareProfile& software = *stacks.back();
    const auto resolved = resolved_for(search, candidate, software, count);
    if (!resolved) {
        return std::nullopt;
    }
    Cluster cluster = cluster_of(search, candidate, count);
    if (resolved->workload.task == Task::train && !search.architecture.stacks.empty()) {
        if (auto plan = leanest_plan(search, candidate, software, cluster, resolved->workload)) {
            return ThriftyPlan{std::move(*plan), std::move(cluster), &software};
        }
    }
    auto plans = enumerate_plans(resolved->workload, search.architecture, cluster, search.freedom);
    const auto best = std::ranges::max_element(
        plans, [](const Workload& a, const Workload& b) { return thrift(a) < thrift(b); });
    if (best == plans.end()) {
        return std::nullopt;
    }
    return ThriftyPlan{std::move(*best), std::move(cluster), &software};
}

Rejection measured_rejection(const Search& search, const Rejection& rejection) {
    const Accelerator* part = search.knowledge.catalog.accelerator(rejection.accelerator);
    if (part == nullptr || !rejection.bound) {
        return rejection;
    }
    const Calibration& calibration = search.knowledge.profiles.calibration;
    const Candidate candidate{part, *search.models};
    const auto plan = thrifty_plan(search, candidate, rejection.count);
    if (!plan) {
        return rejection;
    }
    const MemoryEstimate memory =
        estimate_memory({search.architecture, plan->workload, plan->cluster, *plan->software,
                         candidate.device(), calibration});
    return memory.fits ? rejection : too_large(candidate, rejection.count, memory);
}

}  // namespace ridgeline
