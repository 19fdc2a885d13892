#pragma once

#include "advise/plans/plan_search.h"

#include <optional>
#include <vector>

namespace ridgeline {

/// What a search has found so far: the best plan, the leanest, and the Pareto front when it is
/// wanted. Of equal plans the one that was offered first stays.
class PlanFront {
public:
    PlanFront(const SearchControl& control, double capacity);

    void offer(const FoundPlan& plan, bool fits);
    /// Whether a plan that is no better than `bound` in anything cannot change the result.
    [[nodiscard]] bool beats(const FoundPlan& bound) const;
    /// Whether a plan of `process` bytes would be the leanest one, and that matters: nothing fits
    /// yet.
    [[nodiscard]] bool leaner(double process) const;
    /// Takes what another search found that knew what this one knows.
    void merge(const PlanFront& other);
    [[nodiscard]] PlanSearch result(const Searched& searched) &&;

private:
    [[nodiscard]] bool roomy(const FoundPlan& plan) const;
    [[nodiscard]] double value(const FoundPlan& plan) const;
    void offer_to_front(const FoundPlan& plan);

    Objective objective_;
    bool wants_front_;
    double roomy_process_;  ///< bytes up to which a plan leaves comfortable room
    std::optional<FoundPlan> best_;
    std::optional<FoundPlan> leanest_;
    std::vector<FoundPlan> front_;
};

}  // namespace ridgeline
