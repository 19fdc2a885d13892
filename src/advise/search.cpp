#include "advise/search.h"

#include "advise/fabric.h"
#include "advise/offers.h"
#include "advise/plan_polish.h"
#include "advise/plan_search.h"
#include "advise/plans.h"
#include "advise/supply.h"
#include "advise/time_limits.h"
#include "estimate/resolve/legality.h"
#include "estimate/serving/waiting.h"
#include "spec/matrix_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

// The best plan on one cluster. Memory is judged first and time only for what fits, since memory
// rejects most; of the plans, those that need the least memory go first, so that a hopeless cluster
// costs one or two estimates.

namespace ridgeline {
namespace {

constexpr std::size_t most_timed = 4;  // feasible plans of one stack that are timed
constexpr std::size_t most_timed_brief = 1;

// One stack on one cluster: what the estimates of its plans share.
struct Bench {
    const Search& search;
    const Candidate& candidate;
    const SoftwareProfile& software;
    const Cluster& cluster;
    const LinkModel*& links;  // resolved when the first plan is timed
    std::vector<FilledDefault> defaults;

    [[nodiscard]] EstimateInput input(const Workload& workload) const {
        return {search.architecture,
                workload,
                cluster,
                software,
                candidate.device(),
                search.knowledge.profiles.calibration,
                links,
                search.replayed.get()};
    }
};

// Parts before bf16 units train in fp16, before flash attention (compute capability 8.0) with the
// memory-efficient kernel of the framework.
void suit_to_part(const WorkloadDocument& stated,
                  const Accelerator& accelerator,
                  Workload& workload,
                  std::vector<FilledDefault>& defaults) {
    const bool halves = !accelerator.peak(ComputeType::bf16) && accelerator.peak(ComputeType::fp16);
    if (!stated.compute && workload.compute == ComputeType::bf16 && halves) {
        workload.compute = ComputeType::fp16;
        workload.weights = workload.weights == DType::bf16 ? DType::fp16 : workload.weights;
        defaults.push_back({"precision.compute", "fp16", accelerator.id + " has no bf16 units"});
    }
    const bool old = accelerator.compute_capability && capability_of(accelerator) < 8.0;
    if (!stated.attention && workload.attention == AttentionKernel::flash && old) {
        workload.attention = AttentionKernel::sdpa;
        defaults.push_back(
            {"software.attention", "sdpa", "flash attention needs compute capability 8.0"});
    }
}

/// capacity  what the runtime may use of the accelerator
Rejection too_large(const Candidate& candidate,
                    int count,
                    Bytes needed,
                    Bytes capacity,
                    std::string_view what) {
    Rejection result =
        rejection(candidate,
                  count,
                  "memory_exceeded",
                  fmt::format("{} {:.1f} GiB on each, {:.1f} GiB there: short by {:.1f} GiB",
                              what,
                              needed / gibibyte,
                              capacity / gibibyte,
                              (needed - capacity) / gibibyte));
    result.shortfall_gib = (needed - capacity) / gibibyte;
    result.excess = needed / capacity - 1;
    return result;
}

Rejection too_large(const Candidate& candidate, int count, const MemoryEstimate& memory) {
    const Bytes room = memory.capacity - memory.unclaimed;
    return too_large(candidate, count, memory.process, room, "the best plan needs");
}

// Lower is hungrier: plans of the least memory are probed first.
int thrift(const Workload& plan) {
    int score = plan.plan.recompute == RecomputeMode::full        ? 4
                : plan.plan.recompute == RecomputeMode::selective ? 2
                                                                  : 0;
    score += plan.batch.micro == 1 ? 1 : 0;
    score += plan.plan.sharding == Sharding::ddp || plan.plan.sharding == Sharding::hsdp ? 0 : 8;
    return score;
}

struct Best {
    std::optional<Option> option;
    double speed = 0;
    bool roomy = false;
    std::optional<MemoryEstimate> nearest_miss;
    Searched searched;

    void miss(MemoryEstimate memory) {
        if (!nearest_miss || memory.needed() < nearest_miss->needed()) {
            nearest_miss = std::move(memory);
        }
    }
    std::optional<Rejection> slow;
    std::optional<Error> illegal;
};

double speed_of(const TimeEstimate& time) {
    if (time.tokens_per_second > 0) {
        return time.tokens_per_second;
    }
    return time.samples_per_second > 0 ? time.samples_per_second
           : time.step > Seconds{}     ? second / time.step
                                       : 0;
}

/// Requests in flight are the rate times the time that each takes (Little 1961), which follows from
/// how many are in flight: where nobody said how many run at once, they are as few as keep the rate on
/// this plan, and more than first thought as long as that serves more and memory holds them.
void let_requests_pile_up(const Bench& bench,
                          Workload& plan,
                          MemoryEstimate& memory,
                          TimeEstimate& time) {
    const Query& query = bench.search.query;
    if (!query.requests_per_s || !query.concurrency_follows || !plan.serving) {
        return;
    }
    constexpr int most_rounds = 5;
    constexpr double most_change = 4;
    constexpr double worth_it = 1.05;
    for (int round = 0; round < most_rounds; ++round) {
        const double lack = *query.requests_per_s / std::max(1e-9, time.requests_per_second);
        const double replicas = std::max(1, plan.plan.data);
        Workload other = plan;
        // Each replica has as many, one at least.
        other.serving->concurrency =
            replicas * std::ceil(std::max(1.0, plan.serving->concurrency / replicas *
                                                   std::clamp(worth_it * lack, 1 / most_change, most_change)));
        const bool settled = lack <= 1 && lack * worth_it * worth_it >= 1;
        if (settled || other.serving->concurrency == plan.serving->concurrency) {
            return;
        }
        MemoryEstimate held = estimate_memory(bench.input(other));
        if (!held.fits) {
            return;
        }
        TimeEstimate changed = estimate_time(bench.input(other));
        const bool helps = lack > 1 ? changed.requests_per_second >= worth_it * time.requests_per_second
                                    : changed.requests_per_second >= *query.requests_per_s;
        if (!helps) {
            return;
        }
        plan = std::move(other);
        memory = std::move(held);
        time = std::move(changed);
    }
}

/// On hardware that is named with its number, what an engine does not hold at once waits; hardware that
/// is sought must hold all.
bool may_wait(const Query& query) {
    return !query.accelerators.empty() && query.exact_accelerators.has_value();
}

MemoryEstimate memory_of_plan(const Bench& bench, const Workload& plan) {
    MemoryEstimate memory = estimate_memory(bench.input(plan));
    if (!memory.fits && may_wait(bench.search.query)) {
        if (auto load = waiting_load(bench.input(plan))) {
            return std::move(load->memory);
        }
    }
    return memory;
}

/// Whether some of the requests wait for others.
bool waits(const Workload& plan, const MemoryEstimate& memory) {
    return plan.task == Task::inference && plan.serving &&
           running_requests(memory, plan) < plan.serving->concurrency;
}

bool shards(const Workload& plan) {
    return plan.plan.sharding != Sharding::none && plan.plan.sharding != Sharding::ddp;
}

void consider(const Bench& bench, Workload plan, MemoryEstimate memory, Best& best) {
    if (bench.links == nullptr) {
        bench.links = &bench.search.models->links(bench.cluster);
    }
    TimeEstimate time = estimate_time(bench.input(plan));
    let_requests_pile_up(bench, plan, memory, time);
    const double speed = speed_of(time);
    const bool waiting = waits(plan, memory);
    // What may wait fills the cache by design.
    const bool gives = waiting || (plan.serving && bench.input(plan).software.engine.lets_requests_wait());
    const bool roomy = memory.verdict == FitVerdict::yes &&
                       (gives || memory.headroom() >= memory.capacity * comfortable_share);
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
    const bool better =
        !best.option || (roomy && !best.roomy) || (roomy == best.roomy && speed > least);
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

void try_plans(const Bench& bench, std::vector<Workload> plans, Best& best) {
    const std::size_t most = bench.search.brief ? most_timed_brief : most_timed;
    std::vector<std::optional<MemoryEstimate>> memories(plans.size());
    const auto memory_of = [&](std::size_t i) -> const MemoryEstimate& {
        if (!memories[i]) {
            memories[i] = memory_of_plan(bench, plans[i]);
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
        if (memory_of(i).fits) {
            ++timed;
            consider(bench, std::move(plans[i]), std::move(*memories[i]), best);
        }
    }
}

// The best training plan of the usual ones.
void search_training(const Bench& bench, const Workload& base, Best& best) {
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

}  // namespace

namespace {

/// A rate that is asked of a network without layers to part is kept by copies, each with as many samples
/// at once as one card has.
bool serves_copies(const Search& search) {
    return search.document.task == Task::inference && search.query.requests_per_s &&
           search.architecture.stacks.empty();
}

}  // namespace

Result<ResolvedWorkload> resolved_for(const Search& search,
                                      const Candidate& candidate,
                                      const SoftwareProfile& software,
                                      int count) {
    WorkloadDocument document = search.document;
    document.framework = software.id;
    if (search.freedom.global && search.freedom.micro && document.task == Task::train) {
        // Resolved for one sample a rank; every plan sets its own batch.
        const int wanted = document.global_batch.value_or(count);
        document.micro_batch = 1;
        document.global_batch = count * std::max(1, wanted / count);
    }
    if (serves_copies(search) && document.serving) {
        document.serving->concurrency *= count;
    }
    auto resolved = resolve(document, search.architecture, software, count);
    if (!resolved) {
        return resolved;
    }
    resolved->workload.batch.global =
        search.document.global_batch.value_or(resolved->workload.batch.global);
    auto& defaults = resolved->defaults;
    defaults.insert(defaults.end(), search.defaults.begin(), search.defaults.end());
    suit_to_part(search.document, *candidate.accelerator, resolved->workload, defaults);
    return resolved;
}

namespace {

// One stack on the cluster; fills `best`.
void try_stack(const Search& search,
               const Candidate& candidate,
               const SoftwareProfile& software,
               const Cluster& cluster,
               const LinkModel*& links,
               Best& best) {
    if (const auto legal = check_stated_sizes(search.architecture, search.document); !legal) {
        best.illegal = legal.error();
        return;
    }
    auto resolved = resolved_for(search, candidate, software, cluster.count);
    if (!resolved) {
        best.illegal = best.illegal ? best.illegal : resolved.error();
        return;
    }
    // In brief the allocator is not replayed, which takes milliseconds a plan.
    SoftwareProfile brief;
    const bool skips = search.brief && software.allocator.replays;
    if (skips) {
        brief = software;
        brief.allocator.replays = false;
    }
    const SoftwareProfile& stack = skips ? brief : software;
    Bench bench{search, candidate, stack, cluster, links, std::move(resolved->defaults)};
    const std::uint64_t before = best.searched.plans;
    if (resolved->workload.task == Task::train && !search.architecture.stacks.empty()) {
        search_training(bench, resolved->workload, best);
    } else {
        auto plans =
            enumerate_plans(resolved->workload, search.architecture, cluster, search.freedom);
        if (search.freedom.shape && software.support.pipeline && !software.support.tensor) {
            std::erase_if(plans, [](const Workload& plan) { return plan.plan.tensor > 1; });
        }
        try_plans(bench, std::move(plans), best);
    }
    if (best.searched.plans == before && !best.illegal) {
        const auto legal = check_plan(search.architecture, resolved->workload, cluster);
        best.illegal = legal ? Error{ErrorKind::input, "parallel", "no plan divides evenly", ""}
                             : legal.error();
    }
}

Rejection why_none(const Candidate& candidate, int count, const Best& best) {
    if (best.slow) {
        return *best.slow;
    }
    if (best.nearest_miss) {
        return too_large(candidate, count, *best.nearest_miss);
    }
    const std::string message =
        best.illegal ? best.illegal->text() : std::string("no software profile for this method");
    return rejection(candidate, count, "heads_not_divisible", message);
}

}  // namespace

namespace {

// Of the usual training plans the one of least memory, or the best where some fit.
std::optional<Workload> leanest_plan(const Search& search,
                                     const Candidate& candidate,
                                     const SoftwareProfile& software,
                                     const Cluster& cluster,
                                     const Workload& base) {
    const LinkModel* links = &search.models->links(cluster);
    const Bench bench{search, candidate, software, cluster, links, {}};
    const PlanSpace space =
        usual_space(base, search.architecture, software, cluster, search.freedom);
    const PlanSearch found = search_plans(bench.input(base),
                                          space,
                                          {.objective = search.query.objective,
                                           .comfortable = share_left_free(bench.input(base)),
                                           .cache = search.blocks.get()});
    const std::optional<FoundPlan>& plan = found.best ? found.best : found.leanest;
    return plan ? std::optional(with_plan(base, *plan)) : std::nullopt;
}

Cluster cluster_of(const Search& search, const Candidate& candidate, int count) {
    const Catalog& catalog = search.knowledge.catalog;
    const int nodes = search.query.nodes.value_or(1);
    const int per_node = nodes > 1 && search.query.exact_accelerators == count && count % nodes == 0 ? count / nodes : 0;
    return joined_as_stated(make_cluster(catalog, *candidate.accelerator, count, per_node), catalog, search.document);
}

}  // namespace

std::optional<ThriftyPlan> thrifty_plan(const Search& search,
                                        const Candidate& candidate,
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
    const auto best =
        std::max_element(plans.begin(), plans.end(), [](const Workload& a, const Workload& b) {
            return thrift(a) < thrift(b);
        });
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
    const MemoryEstimate memory = estimate_memory({search.architecture,
                                                   plan->workload,
                                                   plan->cluster,
                                                   *plan->software,
                                                   candidate.device(),
                                                   calibration});
    return memory.fits
               ? rejection
               : too_large(candidate, rejection.count, memory);
}

Trial best_on(const Search& search, const Candidate& candidate, int count) {
    return best_on(search, candidate, cluster_of(search, candidate, count));
}

Trial best_on(const Search& search, const Candidate& candidate, const Cluster& cluster) {
    const int count = cluster.count;
    Trial trial;
    if (Rejection supply = supply_limit(search, candidate, cluster); !supply.reason.empty()) {
        trial.outcome = std::move(supply);
        return trial;
    }
    const auto stacks = software_for(search, *candidate.accelerator, count);
    Workload rough;  // only for the bounds
    rough.task = search.document.task;
    rough.method = search.document.method.value_or(Method::lora);
    if (search.document.quantization) {
        rough.quantization.name = *search.document.quantization;
    }
    rough.weights = search.document.weights.value_or(DType::bf16);
    rough.gradients = DType::bf16;
    rough.optimizer = "";  // states differ by stack: the bound leaves them out
    rough.duration_tokens = search.document.duration_tokens;
    rough.compute = search.document.compute.value_or(ComputeType::bf16);
    const Bytes least = least_resident(search, rough, count);
    if (least > candidate.accelerator->capacity()) {
        trial.outcome = too_large(
            candidate, count, least, candidate.accelerator->capacity(), "weights alone need");
        std::get<Rejection>(trial.outcome).bound = true;
        return trial;
    }
    double days = 0;
    if (certainly_late(search, candidate, rough, count, days)) {
        trial.outcome = rejection(
            candidate,
            count,
            "too_slow",
            "at its dense peak " + late_words(days * 86400, *search.query.deadline_s),
            days * 86400 / *search.query.deadline_s - 1);
        return trial;
    }
    if (Rejection power = power_limit(search, candidate, cluster); !power.reason.empty()) {
        trial.outcome = std::move(power);
        return trial;
    }
    const LinkModel* links = nullptr;
    Best best;
    std::optional<Rejection> unsupported;
    for (const SoftwareProfile* software : stacks) {
        if (software == nullptr) {
            continue;
        }
        Rejection old = support_limit(search, candidate, *software, count);
        if (old.reason.empty()) {
            try_stack(search, candidate, *software, cluster, links, best);
        } else {
            unsupported = std::move(old);
        }
    }
    trial.searched = best.searched;
    if (!best.option) {
        trial.outcome = unsupported ? *unsupported : why_none(candidate, count, best);
        return trial;
    }
    price(search, candidate, *best.option);
    Rejection money = money_limit(search, candidate, *best.option);
    if (!money.reason.empty()) {
        trial.outcome = std::move(money);
    } else {
        best.option->value = objective_value(search, *best.option);
        trial.outcome = std::move(*best.option);
    }
    return trial;
}

}  // namespace ridgeline
