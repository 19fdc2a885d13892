#pragma once

#include "advise/plans/space.h"
#include "advise/query.h"
#include "advise/searched.h"
#include "estimate/estimate.h"

#include <functional>
#include <optional>
#include <vector>

namespace ridgeline {

/// One evaluated plan with the totals of its estimate, to the last bit those of `estimate_memory`
/// and `estimate_time`.
struct FoundPlan {
    Plan plan;
    int micro = 1;
    int global = 1;
    double process = 0;  ///< bytes, process counter
    double step = 0;     ///< seconds
    double busy = 0;     ///< of them in compute and memory bound work
    double seconds_per_sample = 0;
    double energy_per_sample = 0;  ///< in seconds of the whole cluster at full power
    double headroom_gib = 0;       ///< whole GiB that stay free; the Pareto front compares these
};

/// Share of the memory that a plan should leave free: allocators and inputs vary.
inline constexpr double comfortable_share = 0.05;
/// The share that a plan must leave free to fit for certain: at least the above, and the upper part
/// of the range of its memory. Of two plans on the same part the slower one that is known to fit
/// goes first.
double share_left_free(const EstimateInput& input);

class BlockCache;

struct SearchControl {
    Objective objective = Objective::time;  ///< energy, or any other: time
    double comfortable =
        0;               ///< plans that leave this share of the memory free go before the others
    bool front = false;  ///< the Pareto front too, not the best alone
    bool prune = true;   ///< false: every plan is evaluated
    int threads = 1;
    /// Of the model that is searched: what a search of one thread leaves for the next; may be null.
    BlockCache* cache = nullptr;
    /// Asked now and then, by each thread, whether to end with the best so far; may be empty.
    std::function<bool()> stopped{};
    /// Called between rounds with the share of the space that is done; may be empty.
    std::function<void(double)> progress{};
};

struct PlanSearch {
    std::optional<FoundPlan> best;     ///< of those that fit
    std::optional<FoundPlan> leanest;  ///< least memory, when nothing fits
    /// Plans that no other one beats in seconds and energy a sample and in whole GiB of headroom,
    /// the fastest first. On one cluster cost follows time.
    std::vector<FoundPlan> front;
    Searched searched;
};

/// The best plan of a space for a training run on the cluster of `input`, whose workload is the
/// template that plans are put into. Exact: a plan is left out only when a lower bound of its
/// memory, its time and its energy proves it worse. The result and the counts are the same for any
/// number of threads.
PlanSearch search_plans(const EstimateInput& input, const PlanSpace& space,
                        const SearchControl& control = {});

/// Every legal plan of the space, in the order of the search; for small spaces.
std::vector<Workload> plans_of(const EstimateInput& input, const PlanSpace& space);

/// The template with a found plan in it.
Workload with_plan(Workload base, const FoundPlan& found);

}  // namespace ridgeline
