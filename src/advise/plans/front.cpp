#include "advise/plans/front.h"

#include "base/order.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace ridgeline {
namespace {

/// At least as good in everything that the front compares.
bool covers(const FoundPlan& a, const FoundPlan& b) {
    return a.seconds_per_sample <= b.seconds_per_sample &&
           a.energy_per_sample <= b.energy_per_sample && a.headroom_gib >= b.headroom_gib;
}

}  // namespace

PlanFront::PlanFront(const SearchControl& control, double capacity)
    : objective_(control.objective),
      wants_front_(control.front),
      roomy_process_(capacity * (1 - control.comfortable)) {}

bool PlanFront::roomy(const FoundPlan& plan) const { return plan.process <= roomy_process_; }

double PlanFront::value(const FoundPlan& plan) const {
    return objective_ == Objective::energy ? plan.energy_per_sample : plan.seconds_per_sample;
}

bool PlanFront::beats(const FoundPlan& bound) const {
    const bool loses = best_ && (roomy(*best_) || !roomy(bound)) && value(*best_) < value(bound);
    if (!loses || !wants_front_) {
        return loses;
    }
    return std::ranges::any_of(front_, [&](const FoundPlan& plan) { return covers(plan, bound); });
}

bool PlanFront::leaner(double process) const {
    return !best_ && (!leanest_ || process < leanest_->process);
}

void PlanFront::offer(const FoundPlan& plan, bool fits) {
    if (!fits) {
        if (leaner(plan.process)) {
            leanest_ = plan;
        }
        return;
    }
    const auto rank = [this](const FoundPlan& p) {
        return std::tuple(!roomy(p), value(p), p.process);
    };
    if (!best_ || rank(plan) < rank(*best_)) {
        best_ = plan;
    }
    if (wants_front_) {
        offer_to_front(plan);
    }
}

void PlanFront::offer_to_front(const FoundPlan& plan) {
    for (const FoundPlan& other : front_) {
        if (covers(other, plan)) {
            return;
        }
    }
    std::erase_if(front_, [&](const FoundPlan& other) { return covers(plan, other); });
    front_.push_back(plan);
}

void PlanFront::merge(const PlanFront& other) {
    if (other.leanest_) {
        offer(*other.leanest_, false);
    }
    if (other.best_) {
        offer(*other.best_, true);
    }
    for (const FoundPlan& plan : other.front_) {
        offer_to_front(plan);
    }
}

PlanSearch PlanFront::result(const Searched& searched) && {
    PlanSearch result;
    result.searched = searched;
    result.best = best_;
    if (!result.best) {
        result.leanest = leanest_;
    }
    stable_order(front_.begin(), front_.end(), [](const FoundPlan& a, const FoundPlan& b) {
        return std::tuple(a.seconds_per_sample, -a.headroom_gib) <
               std::tuple(b.seconds_per_sample, -b.headroom_gib);
    });
    result.front = std::move(front_);
    return result;
}

}  // namespace ridgeline
