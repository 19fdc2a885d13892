// The best plan of a space.
//
// Plans are walked as a tree: blocks (tensor, context, expert, sequence parallelism, micro-batch),
// then stages, then recomputation, then kept activations on the host or not, then how states are
// held. What a level fixes is folded once and shared by all plans below it
// (estimate/memory/training_peak.h, estimate/time/training.h), so that a plan itself costs two
// short sums. Each level has lower bounds: work of the blocks spread over all stages, time of the
// passes without the collectives of data parallelism, bytes that every holding choice keeps.
//
// Block choices are searched in rounds, the most promising first. What a round has found prunes the
// next one only, so that the answer and its counts do not depend on the number of threads.
#include "advise/plans/plan_search.h"

#include "advise/plans/chunk.h"
#include "advise/plans/front.h"
#include "estimate/memory/communicators.h"
#include "estimate/memory/counters.h"
#include "estimate/memory/training_peak.h"
#include "estimate/money/energy.h"
#include "estimate/preference/preference.h"
#include "estimate/time/training.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <optional>
#include <thread>
#include <utility>

namespace ridgeline {
namespace {

constexpr std::size_t most_of_a_round = 16;

bool stopped(const SearchControl& control) { return control.stopped && control.stopped(); }

/// Does the same work on so many threads at a time. WebAssembly has one.
template <typename Work>
void work_on_threads([[maybe_unused]] std::size_t threads, const Work& work) {
#ifndef __wasm__
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < threads; ++i) {
        others.emplace_back(work);
    }
#endif
    work();
}

/// The passes of a step, which sharding and offload do not change.
struct TimedPasses {
    PipelineWork work;
    StepTotals totals;
};

/// The search below one block choice.
class ChunkSearch {
public:
    ChunkSearch(const PlanProblem& problem, PlanChunk& chunk, const PlanFront& known)
        : problem_(problem),
          chunk_(chunk),
          workload_(problem.input.workload),
          input_{problem.input.architecture,
                 workload_,
                 problem.input.cluster,
                 problem.input.software,
                 problem.input.device,
                 problem.input.calibration,
                 &problem.links},
          found_(known) {
        put(chunk.choice, workload_);
    }

    void run();
    [[nodiscard]] const PlanFront& found() const { return found_; }
    [[nodiscard]] const Searched& searched() const { return searched_; }

private:
    void stage(const StageChoice& stage);
    void passes(const StageChoice& stage, const MemoryStages& memory, const PipelineShape& shape,
                const RecomputeChoice& recompute);
    double least_process(const MemoryStages& memory) const;
    void leaves(const MemoryStages& memory, const TimedPasses& timed, double least);
    void leaf(const MemoryStages& memory, const TimedPasses& timed, const FoundPlan& least);
    void least_residents(const MemoryStages& memory);
    std::vector<Work> works_for(const RecomputeChoice& recompute);
    void score(FoundPlan& plan, const StepTotals& totals) const;
    void hold(FoundPlan& plan, double process) const;
    [[nodiscard]] bool fits_host(double bytes) const {
        return problem_.outside.host <= 0 || bytes <= problem_.outside.host;
    }

    const PlanProblem& problem_;
    PlanChunk& chunk_;
    Workload workload_;
    EstimateInput input_;
    std::vector<HoldingChoice> holdings_;
    std::vector<double> residents_;  ///< by stage, of the choice that holds least
    PlanFront found_;
    Searched searched_;
};

/// Work for the recomputation at hand.
std::vector<Work> ChunkSearch::works_for(const RecomputeChoice& recompute) {
    SharedBlocks& blocks = *chunk_.blocks;
    if (recompute.full_layers < 0) {
        return blocks.works_in(recompute.mode, input_);
    }
    return mixed_works(input_, blocks.lists->list, blocks.works_in(RecomputeMode::none, input_),
                       blocks.works_in(RecomputeMode::full, input_));
}

void ChunkSearch::score(FoundPlan& plan, const StepTotals& totals) const {
    plan.step = totals.step;
    plan.busy = totals.step - totals.waiting;
    plan.seconds_per_sample = totals.step / workload_.batch.global;
    plan.energy_per_sample = plan.seconds_per_sample * power_share(totals.step, totals.waiting);
}

void ChunkSearch::hold(FoundPlan& plan, double process) const {
    plan.process = process;
    plan.headroom_gib = std::floor((problem_.outside.capacity - process) / gibibyte.base());
}

void ChunkSearch::least_residents(const MemoryStages& memory) {
    residents_.assign(memory.stages.size(), std::numeric_limits<double>::infinity());
    for (const HoldingChoice& holding : holdings_) {
        put(holding, workload_);
        const std::vector<double> bytes = resident_bytes(input_, memory);
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            residents_[i] = std::min(residents_[i], bytes[i]);
        }
    }
}

void ChunkSearch::leaf(const MemoryStages& memory, const TimedPasses& timed,
                       const FoundPlan& least) {
    const bool prune = problem_.control.prune;
    OutsideTensors outside = problem_.outside;
    outside.context += communication_bytes(input_, workload_.plan) - problem_.communication;
    const double process = process_bytes(training_totals(input_, memory), outside);
    const bool fits = process <= problem_.outside.capacity && fits_host(host_bytes(input_, memory));
    FoundPlan plan = least;
    hold(plan, process);
    if (prune && !fits) {
        ++searched_.too_large;
    } else if (prune && found_.beats(plan)) {
        ++searched_.dominated;
        return;
    } else {
        ++searched_.evaluated;
        score(plan, step_totals(input_, problem_.links, timed.work, timed.totals));
    }
    plan.plan = workload_.plan;
    plan.micro = workload_.batch.micro;
    plan.global = workload_.batch.global;
    found_.offer(plan, fits);
}

void ChunkSearch::passes(const StageChoice& stage, const MemoryStages& memory,
                         const PipelineShape& shape, const RecomputeChoice& recompute) {
    put(recompute, workload_);
    put(stage, workload_);
    std::optional<TimedPasses> timed;
    for (const OffloadTarget activations : problem_.space.offload_activations) {
        workload_.plan.offload_activations = activations;
        searched_.plans += holdings_.size();
        const double least = least_process(memory);
        if (problem_.control.prune && least > problem_.outside.capacity && !found_.leaner(least)) {
            searched_.memory_bound += holdings_.size();
            continue;
        }
        if (!timed) {
            timed.emplace();
            timed->work =
                pipeline_work(input_, chunk_.blocks->lists->list, shape, works_for(recompute));
            timed->totals = passes_totals(input_, problem_.links, timed->work);
        }
        leaves(memory, *timed, least);
    }
}

/// Bytes that no way of holding the states goes below.
double ChunkSearch::least_process(const MemoryStages& memory) const {
    const std::vector<double> kept = activation_bytes(input_, memory);
    double least = 0;
    for (std::size_t i = 0; i < kept.size(); ++i) {
        least = std::max(least, residents_[i] + kept[i]);
    }
    return (least + problem_.outside.library + problem_.outside.context) * bound_rounding;
}

void ChunkSearch::leaves(const MemoryStages& memory, const TimedPasses& timed, double least) {
    FoundPlan best_case;
    hold(best_case, least);
    score(best_case, timed.totals);
    best_case.seconds_per_sample *= bound_rounding;
    best_case.energy_per_sample *= bound_rounding;
    if (problem_.control.prune && found_.beats(best_case)) {
        searched_.time_bound += holdings_.size();
        return;
    }
    for (const HoldingChoice& holding : holdings_) {
        put(holding, workload_);
        leaf(memory, timed, best_case);
    }
}

void ChunkSearch::stage(const StageChoice& stage) {
    put(stage, workload_);
    SharedBlocks& blocks = *chunk_.blocks;
    if (problem_.works_follow_step) {
        blocks.works = {};
    }
    const MemoryStages memory = memory_stages(input_, blocks.lists->list, blocks.lists->memory);
    const PipelineShape shape = pipeline_shape(input_, blocks.lists->list);
    holdings_ = holdings_of(problem_.space, chunk_.choice, stage);
    if (holdings_.empty()) {
        return;
    }
    least_residents(memory);
    for (const RecomputeChoice& recompute :
         recompute_choices(problem_.input, problem_.space, stage.pipeline)) {
        if (stopped(problem_.control)) {
            searched_.stopped = true;
            return;
        }
        passes(stage, memory, shape, recompute);
    }
}

void ChunkSearch::run() {
    if (!chunk_.blocks) {
        chunk_.blocks = SharedBlocks{std::make_shared<const BlockLists>(input_), {}};
    }
    for (const StageChoice& choice : stage_choices(problem_.input, problem_.space, chunk_.choice)) {
        stage(choice);
    }
    chunk_.blocks.reset();
}

/// The chunks of one round, each beside the others.
class Round {
public:
    Round(const PlanProblem& problem, PlanChunk* first, std::size_t count, const PlanFront& known)
        : problem_(problem), first_(first), results_(count, {known, {}}), known_(known) {}

    void run();
    void collect(PlanFront& found, Searched& searched) const;

private:
    void work();
    void search(std::size_t i);

    const PlanProblem& problem_;
    PlanChunk* first_;
    std::vector<std::pair<PlanFront, Searched>> results_;
    const PlanFront& known_;
    std::atomic<std::size_t> next_{0};
};

void Round::search(std::size_t i) {
    auto& [found, searched] = results_[i];
    PlanChunk& chunk = first_[i];
    FoundPlan least;
    least.seconds_per_sample = chunk.bound;
    least.headroom_gib = std::numeric_limits<double>::infinity();
    if (problem_.control.prune && known_.beats(least)) {
        searched.plans = searched.time_bound = size_of(problem_, chunk);
        return;
    }
    if (stopped(problem_.control)) {
        searched.stopped = true;
        return;
    }
    ChunkSearch search(problem_, chunk, known_);
    search.run();
    found = search.found();
    searched = search.searched();
}

void Round::work() {
    for (std::size_t i = next_++; i < results_.size(); i = next_++) {
        search(i);
    }
}

void Round::run() {
    const auto threads =
        std::min(results_.size(), static_cast<std::size_t>(std::max(1, problem_.control.threads)));
    work_on_threads(threads, [this] { work(); });
}

void Round::collect(PlanFront& found, Searched& searched) const {
    for (const auto& [front, count] : results_) {
        found.merge(front);
        searched += count;
    }
}

}  // namespace

double share_left_free(const EstimateInput& input) {
    return std::max(comfortable_share, 1 - 1 / std::max(1.0, process_band(input).high));
}

PlanSearch search_plans(const EstimateInput& input, const PlanSpace& space,
                        const SearchControl& control) {
    LinkModel own;
    if (input.links == nullptr) {
        own = link_model(input.cluster, input.calibration);
    }
    OutsideTensors outside = outside_tensors(input);
    // No plan has less than one communicator, which bounds count.
    const double communication = communication_bytes(input, {});
    outside.context += communication - communication_bytes(input, input.workload.plan) +
                       engine_beside_trainer(input);
    const PlanProblem problem{.input = input,
                              .space = space,
                              .control = control,
                              .links = input.links == nullptr ? own : *input.links,
                              .outside = outside,
                              .communication = communication,
                              .works_follow_step = works_follow_step(input.workload)};
    PlanFront found(control, problem.outside.capacity);
    Searched searched;
    std::vector<PlanChunk> chunks = chunks_of(problem);
    std::size_t size = 1;
    for (std::size_t done = 0; done < chunks.size() && !searched.stopped;) {
        size = std::min(size, chunks.size() - done);
        Round round(problem, chunks.data() + done, size, found);
        round.run();
        round.collect(found, searched);
        done += size;
        size = std::min(size * 2, most_of_a_round);
        if (control.progress) {
            control.progress(static_cast<double>(done) / static_cast<double>(chunks.size()));
        }
    }
    return std::move(found).result(searched);
}

std::vector<Workload> plans_of(const EstimateInput& input, const PlanSpace& space) {
    std::vector<Workload> plans;
    Workload plan = input.workload;
    for (const BlockChoice& block : block_choices(input, space)) {
        for (const StageChoice& stage : stage_choices(input, space, block)) {
            for (const RecomputeChoice& recompute :
                 recompute_choices(input, space, stage.pipeline)) {
                for (const OffloadTarget activations : space.offload_activations) {
                    for (const HoldingChoice& holding : holdings_of(space, block, stage)) {
                        put(block, plan);
                        put(stage, plan);
                        put(recompute, plan);
                        put(holding, plan);
                        plan.plan.offload_activations = activations;
                        plans.push_back(plan);
                    }
                }
            }
        }
    }
    return plans;
}

Workload with_plan(Workload base, const FoundPlan& found) {
    base.plan = found.plan;
    base.batch.micro = found.micro;
    base.batch.global = found.global;
    return base;
}

}  // namespace ridgeline
