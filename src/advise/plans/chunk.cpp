#include "advise/plans/chunk.h"

#include "base/order.h"
#include "estimate/resolve/legality.h"
#include "estimate/time/training.h"

#include <algorithm>
#include <utility>

namespace ridgeline {
namespace {

/// Chunks up to which their blocks are kept from the bound to the search, about 100 kB each.
constexpr std::size_t most_kept = 128;

/// A chunk with its bound: its blocks without recomputation, spread evenly over the stages. Nothing
/// when no plan is legal.
std::optional<PlanChunk> chunk_of(const PlanProblem& problem, const BlockChoice& choice,
                                  bool keeps) {
    const auto stages = stage_choices(problem.input, problem.space, choice);
    if (stages.empty()) {
        return std::nullopt;
    }
    Workload workload = problem.input.workload;
    put(choice, workload);
    // Weights are quantised once a step: the more micro-batches, the less each of them pays.
    const auto most = std::max_element(stages.begin(), stages.end(),
                                       [](const StageChoice& a, const StageChoice& b) {
                                           return 1.0 * a.global / a.data < 1.0 * b.global / b.data;
                                       });
    put(*most, workload);
    const EstimateInput& base = problem.input;
    const EstimateInput input{base.architecture, workload,         base.cluster,  base.software,
                              base.device,       base.calibration, &problem.links};
    PlanChunk chunk{.choice = choice};
    BlockCache* cache = problem.control.threads <= 1 ? problem.control.cache : nullptr;
    SharedBlocks blocks{
        .lists = cache != nullptr ? cache->of(input) : std::make_shared<const BlockLists>(input),
        .works = {}};
    const std::vector<Work>& works = blocks.works_in(RecomputeMode::none, input);
    double seconds = 0;
    for (std::size_t i = 0; i < works.size(); ++i) {
        seconds += works[i].seconds(host_per_launch(input)) * blocks.lists->list[i].repeat;
    }
    const double ranks =
        1.0 * choice.tensor * choice.context / training_accelerators(workload, base.cluster.count);
    chunk.bound = seconds * ranks / choice.micro * bound_rounding;
    if (keeps) {
        chunk.blocks = std::move(blocks);
    }
    return chunk;
}

}  // namespace

std::shared_ptr<const BlockLists> BlockCache::of(const EstimateInput& input) {
    // How layers are staged, how states are held and how many samples a step has change no list.
    Workload key = input.workload;
    const Plan& plan = input.workload.plan;
    key.plan = Plan{.tensor = plan.tensor,
                    .context = plan.context,
                    .expert = plan.expert,
                    .sequence_parallel = plan.sequence_parallel,
                    .sharding = plan.sharding};
    key.batch.global = 0;
    for (const Entry& entry : entries_) {
        if (entry.software == &input.software && entry.workload == key) {
            return entry.lists;
        }
    }
    auto lists = std::make_shared<const BlockLists>(input);
    entries_.push_back({&input.software, std::move(key), lists});
    return lists;
}

std::vector<PlanChunk> chunks_of(const PlanProblem& problem) {
    std::vector<PlanChunk> chunks;
    const std::vector<BlockChoice> choices = block_choices(problem.input, problem.space);
    for (const BlockChoice& choice : choices) {
        if (auto chunk = chunk_of(problem, choice, choices.size() <= most_kept)) {
            chunks.push_back(std::move(*chunk));
        }
    }
    stable_order(chunks.begin(), chunks.end(),
                 [](const PlanChunk& a, const PlanChunk& b) { return a.bound < b.bound; });
    return chunks;
}

std::uint64_t size_of(const PlanProblem& problem, const PlanChunk& chunk) {
    std::uint64_t plans = 0;
    for (const StageChoice& stage : stage_choices(problem.input, problem.space, chunk.choice)) {
        plans += recompute_choices(problem.input, problem.space, stage.pipeline).size() *
                 problem.space.offload_activations.size() *
                 holdings_of(problem.space, chunk.choice, stage).size();
    }
    return plans;
}

}  // namespace ridgeline
