#include "advise/search/bench.h"

#include "advise/hardware/desk.h"
#include "advise/plans/plan_search.h"
#include "advise/plans/polish.h"
#include "advise/search/time_limits.h"
#include "estimate/serving/waiting.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

// Plans of one stack on one cluster. Memory is judged first and time only for what fits, since
// memory rejects most; of the plans, those that need the least memory go first, so that a hopeless
// cluster costs one or two estimates.

namespace ridgeline {
namespace {

constexpr std::size_t most_timed = 4;  // feasible plans of one stack that are timed
constexpr std::size_t most_timed_brief = 1;

double speed_of(const TimeEstimate& time) {
    return time.work_per_second() > 0 ? time.work_per_second()
           : time.step > Seconds{}    ? second / time.step
                                      : 0;
}

/// A plan of serving with what it takes.
struct Load {
    Workload plan;
    MemoryEstimate memory;
    TimeEstimate time;
};

/// Requests in flight are the rate times the time that each takes (Little 1961), which follows from
/// how many are in flight: as few as keep the rate on this plan, and more than first thought as
/// long as that serves more, memory holds them and none waits longer than is asked.
///
/// slower  by how much more time is to be reckoned with: 1 or the high end of its range
void let_requests_pile_up(const Bench& bench, double slower, Load& load) {
    const double rate = slower * *bench.search.query.requests_per_s;
    // What answers in one pass runs what waits as one batch.
    const Architecture& architecture = bench.search.architecture;
    const bool batched = architecture.stacks.empty() || architecture.kind == ModelKind::encoder;
    constexpr int most_rounds = 8;
    constexpr double most_change = 4;
    constexpr double worth_it = 1.05;
    const auto late = [&](const TimeEstimate& time) {
        return !waiting_limit(bench.search, bench.candidate, 1, time).reason.empty();
    };
    bool closely = false;
    for (int round = 0; round < most_rounds; ++round) {
        const double have = load.time.requests_per_second;
        const double lack = rate / std::max(1e-9, have);
        const double replicas = std::max(1, load.plan.plan.data);
        Workload other = load.plan;
        // Each replica has as many, one at least. A small step more would gain less than it is
        // worth.
        constexpr double least_growth = 1.5;
        const double needed = worth_it * lack;
        const double wanted = lack > 1 && !closely ? std::max(least_growth, needed) : needed;
        other.serving->concurrency =
            replicas *
            std::ceil(std::max(1.0, load.plan.serving->concurrency / replicas *
                                        std::clamp(wanted, 1 / most_change, most_change)));
        if (batched && !bench.search.document.micro_batch) {
            other.batch.micro = static_cast<int>(other.serving->concurrency / replicas);
            other.batch.global = static_cast<int>(other.serving->concurrency);
        }
        const bool settled = lack <= 1 && lack * worth_it * worth_it >= 1;
        if (settled || other.serving->concurrency == load.plan.serving->concurrency) {
            return;
        }
        MemoryEstimate held = estimate_memory(bench.input(other));
        if (!held.fits) {
            return;
        }
        TimeEstimate changed = estimate_time(bench.input(other));
        const double enough = lack > 1 ? std::min(worth_it * have, rate) : rate;
        const bool helps =
            changed.requests_per_second >= enough && (late(load.time) || !late(changed));
        if (!helps && lack > 1 && !closely) {
            closely = true;  // what a large step makes late a small one may keep
            continue;
        }
        if (!helps) {
            return;
        }
        load = {std::move(other), std::move(held), std::move(changed)};
    }
}

/// Where nobody said how many requests run at once: as many as keep the rate at the slow end of the
/// range, else in its middle.
void suit_to_rate(const Bench& bench, Load& load) {
    const Query& query = bench.search.query;
    if (!query.requests_per_s || !query.concurrency_follows || !load.plan.serving) {
        return;
    }
    let_requests_pile_up(bench, 1, load);
    if (rate_barely_kept(query, load.time)) {
        Load surely = load;
        let_requests_pile_up(bench, load.time.band.high, surely);
        if (!rate_barely_kept(query, surely.time)) {
            load = std::move(surely);
        }
    }
}

/// Of a job that nobody waits for each accelerator has as many requests at once, so that those of
/// eight are no fuller than one alone; where memory lacks the room it stays as it was planned.
void suit_to_count(const Bench& bench, Load& load) {
    const Query& query = bench.search.query;
    if (query.concurrency_each <= 0 || !load.plan.serving) {
        return;
    }
    double wanted = static_cast<double>(query.concurrency_each) * bench.cluster.count;
    wanted =
        query.requests_of_job > 0 ? std::min(wanted, std::ceil(query.requests_of_job)) : wanted;
    const double replicas = std::max(1, load.plan.plan.data);
    wanted = replicas * std::ceil(wanted / replicas);
    if (wanted <= load.plan.serving->concurrency) {
        return;
    }
    Load other = load;
    other.plan.serving->concurrency = wanted;
    const Architecture& architecture = bench.search.architecture;
    const bool batched = architecture.stacks.empty() || architecture.kind == ModelKind::encoder;
    if (batched && !bench.search.document.micro_batch) {
        other.plan.batch.micro = static_cast<int>(wanted / replicas);
        other.plan.batch.global = static_cast<int>(wanted);
    }
    other.memory = estimate_memory(bench.input(other.plan));
    if (other.memory.fits) {
        other.time = estimate_time(bench.input(other.plan));
        load = std::move(other);
    }
}

/// Whether some of the requests wait for others.
bool waits(const Workload& plan, const MemoryEstimate& memory) {
    return plan.task == Task::inference && plan.serving &&
           running_requests(memory, plan) < plan.serving->concurrency;
}

/// Whether one of two plans of a network recomputes. Scripts of networks turn no checkpoints on by
/// themselves, so that room to spare is no reason for them there.
bool recomputing_differs(const Bench& bench, const Workload& one, const Workload& other) {
    return bench.search.architecture.stacks.empty() &&
           (one.plan.recompute == RecomputeMode::none) !=
               (other.plan.recompute == RecomputeMode::none);
}

bool shards(const Workload& plan) {
    return plan.plan.sharding != Sharding::none && plan.plan.sharding != Sharding::ddp;
}

void consider(const Bench& bench, Workload considered, MemoryEstimate needed, Best& best) {
    if (bench.links == nullptr) {
        bench.links = &bench.search.models->links(bench.cluster);
    }
    Load load{std::move(considered), std::move(needed), {}};
    load.time = estimate_time(bench.input(load.plan));
    suit_to_count(bench, load);
    suit_to_rate(bench, load);
    auto& [plan, memory, time] = load;
    const double speed = speed_of(time);
    const bool waiting = waits(plan, memory);
    // What may wait fills the cache by design.
    const bool gives =
        waiting || (plan.serving && bench.input(plan).software.engine.lets_requests_wait());
    const bool roomy = memory.verdict == FitVerdict::yes &&
                       (gives || memory.headroom() >= memory.capacity * comfortable_share) &&
                       !barely_keeps(bench.search.query, plan.serving, time);
    Rejection limit = time_limit(bench.search, bench.candidate, bench.cluster.count, time);
    if (!limit.reason.empty()) {
        if (!best.slow || limit.excess < best.slow->excess) {
            best.slow = std::move(limit);
        }
        return;
    }
    // Of plans that an estimate cannot tell apart the one without sharding stays or goes first.
    constexpr double told_apart = 1.02;
    const bool simple = !shards(plan);
    const bool best_simple = !best.option || !shards(best.option->workload);
    double least = simple == best_simple ? best.speed * (1 + 1e-9)
                   : simple              ? best.speed / told_apart
                                         : best.speed * told_apart;
    const bool best_waits =
        best.option && waits(best.option->workload, best.option->estimate.memory);
    if (waiting != best_waits) {
        least = waiting ? best.speed * worth_waiting : best.speed / worth_waiting;
    }
    const bool by_speed = best.option && (roomy == best.roomy ||
                                          recomputing_differs(bench, plan, best.option->workload));
    const bool better = !best.option || (by_speed ? speed > least : roomy);
    if (!better) {
        return;
    }
    Option option;
    option.cluster = bench.cluster;
    option.defaults = bench.defaults;
    option.estimate.memory = std::move(memory);
    option.estimate.time = std::move(time);
    option.workload = std::move(plan);
    best.option = std::move(option);
    best.speed = speed;
    best.roomy = roomy;
}

}  // namespace

int thrift(const Workload& plan) {
    int score = plan.plan.recompute == RecomputeMode::full        ? 4
                : plan.plan.recompute == RecomputeMode::selective ? 2
                                                                  : 0;
    score += plan.batch.micro == 1 ? 1 : 0;
    score += plan.plan.sharding == Sharding::ddp || plan.plan.sharding == Sharding::hsdp ? 0 : 8;
    return score;
}

namespace {

/// What decides the memory of a network's plan beside the accelerator; empty: other things do.
std::string memory_key(const Bench& bench, const Workload& plan) {
    if (!bench.search.architecture.network || plan.task != Task::train) {
        return "";
    }
    const Plan& p = plan.plan;
    const bool whole = p.sharding == Sharding::none || p.sharding == Sharding::ddp;
    return fmt::format("{} {} {} {} {} {} {} {} {} {} {}", bench.software.id,
                       static_cast<int>(p.sharding), whole ? std::min(p.data, 2) : p.data,
                       p.shard_group, static_cast<int>(p.recompute), p.recompute_share,
                       plan.batch.micro, plan.batch.global > plan.batch.micro * p.data,
                       static_cast<int>(plan.compute), static_cast<int>(plan.weights),
                       static_cast<int>(plan.attention));
}

/// Whether the same plan was found on another accelerator to keep more tensors alive than this one
/// has room for.
bool surely_too_large(const Bench& bench, const std::string& key) {
    constexpr double same_elsewhere = 0.95;
    return !key.empty() && same_elsewhere * bench.search.models->needed(key) >
                               bench.cluster.accelerator->capacity().base();
}

/// Plans that hold a part of the requests at once may serve all faster than one that holds them.
///
/// memories  of those that do not hold all; empty: tried before, or not at all
void try_waiting(const Bench& bench, std::vector<Workload> plans,
                 const std::vector<std::optional<MemoryEstimate>>& memories, Best& best) {
    for (std::size_t i = 0; i < plans.size(); ++i) {
        const bool enough = bench.search.brief && best.option;
        if (enough || !memories[i] || memories[i]->fits) {
            continue;
        }
        if (auto load = waiting_load(bench.input(plans[i]))) {
            consider(bench, std::move(plans[i]), std::move(load->memory), best);
        }
    }
}

}  // namespace

void try_plans(const Bench& bench, std::vector<Workload> plans, Best& best) {
    // Plans of serving are few, and copies that share nothing stand last among them.
    const bool serves = bench.search.document.task == Task::inference;
    const std::size_t most = bench.search.brief ? most_timed_brief
                             : serves           ? plans.size()
                                                : most_timed;
    std::vector<std::optional<MemoryEstimate>> memories(plans.size());
    const auto memory_of = [&](std::size_t i) -> const MemoryEstimate& {
        if (!memories[i]) {
            memories[i] = estimate_memory(bench.input(plans[i]));
            ++best.searched.plans;
            ++(memories[i]->fits ? best.searched.evaluated : best.searched.too_large);
        }
        return *memories[i];
    };
    int thriftiest = 0;
    for (const Workload& plan : plans) {
        thriftiest = std::max(thriftiest, thrift(plan));
    }
    bool any = false;
    for (std::size_t i = 0; i < plans.size() && !any; ++i) {
        if (thrift(plans[i]) < thriftiest) {
            continue;
        }
        const MemoryEstimate& memory = memory_of(i);
        any = memory.fits;
        if (!any) {
            best.miss(memory);
        }
    }
    std::size_t timed = 0;
    for (std::size_t i = 0; any && i < plans.size() && timed < most; ++i) {
        const std::string key = memory_key(bench, plans[i]);
        if (!memories[i] && surely_too_large(bench, key)) {
            ++best.searched.plans;
            ++best.searched.too_large;
            continue;
        }
        const MemoryEstimate& memory = memory_of(i);
        if (!key.empty()) {
            bench.search.models->needed(key) = memory.allocated.base();
        }
        if (memory.fits) {
            ++timed;
            consider(bench, std::move(plans[i]), std::move(*memories[i]), best);
            memories[i].reset();
        }
    }
    if (serves && (any || bench.search.requests_may_wait)) {
        try_waiting(bench, std::move(plans), memories, best);
    }
}

namespace {

/// Quantised weights in host memory, from which each layer comes when it runs: what stacks of QLoRA
/// over several cards do where these are too small (Answer.AI, "You can now train a 70b language
/// model at home", 2024). For hardware that is named or stands at a desk: nobody rents a slow way.
std::optional<Workload> with_weights_on_host(const Bench& bench, const Workload& base) {
    const Query& query = bench.search.query;
    const ParallelSupport& support = bench.software.support;
    const Plan& plan = base.plan;
    const bool can = base.method == Method::qlora && bench.cluster.count > 1 &&
                     bench.search.freedom.sharding && support.offload_parameters &&
                     support.offload_optimizer;
    const bool open = plan.offload_parameters == OffloadTarget::none &&
                      plan.offload_optimizer == OffloadTarget::none;
    const bool wanted = !query.accelerators.empty() || query.exact_accelerators.has_value() ||
                        buys_for_a_desk(query);
    if (!can || !open || !wanted) {
        return std::nullopt;
    }
    Workload other = base;
    other.plan.offload_parameters = OffloadTarget::cpu;
    other.plan.offload_optimizer = OffloadTarget::cpu;
    return other;
}

}  // namespace

void try_training(const Bench& bench, const Workload& base, Best& best) {
    const Search& search = bench.search;
    if (bench.links == nullptr) {
        bench.links = &search.models->links(bench.cluster);
    }
    const PlanSpace space =
        usual_space(base, search.architecture, bench.software, bench.cluster, search.freedom);
    SearchControl control{.objective = search.query.objective,
                          .comfortable = share_left_free(bench.input(base)),
                          .cache = search.blocks.get()};
    PlanSearch found = search_plans(bench.input(base), space, control);
    best.searched += found.searched;
    if (!found.best) {
        if (found.leanest) {
            best.miss(estimate_memory(bench.input(with_plan(base, *found.leanest))));
        }
        if (const auto other = with_weights_on_host(bench, base)) {
            try_training(bench, *other, best);
        }
        return;
    }
    const auto offer = [&](const FoundPlan& plan) {
        const Workload chosen = with_plan(base, plan);
        Workload workload = polished(bench.input(chosen), search.freedom);
        MemoryEstimate memory = estimate_memory(bench.input(workload));
        if (!memory.fits) {  // what the search does not count, as an engine that writes answers
            best.miss(std::move(memory));
            return;
        }
        consider(bench, std::move(workload), std::move(memory), best);
    };
    offer(*found.best);
    if (!best.option && control.objective == Objective::energy) {
        // The plan of the least energy is late: the fastest one may not be.
        control.objective = Objective::time;
        if (const auto fastest = search_plans(bench.input(base), space, control).best) {
            offer(*fastest);
        }
    }
}

}  // namespace ridgeline
