#pragma once

#include "advise/plans/plan_search.h"
#include "advise/plans/walk.h"
#include "estimate/memory/counters.h"
#include "estimate/memory/training_peak.h"
#include "estimate/time/block_work.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ridgeline {

/// Bounds are sums in another order than the estimates they bound.
inline constexpr double bound_rounding = 1 - 1e-9;

/// What stays the same for all plans.
struct PlanProblem {
    const EstimateInput& input;
    const PlanSpace& space;
    const SearchControl& control;
    const LinkModel& links;
    OutsideTensors outside;
    double communication = 0;        ///< bytes of communicators in `outside.context`
    bool works_follow_step = false;  ///< see work.h
};

/// The operators of one rank's blocks and what they hold, for one micro-batch; no accelerator
/// changes them.
struct BlockLists {
    OperatorList list;
    std::vector<BlockMemory> memory;

    explicit BlockLists(const EstimateInput& input)
        : list(training_operators(input.architecture, input.workload, input.software)),
          memory(block_memories(input, list)) {}
};

/// Lists of one model that searches over several accelerators share. One thread at a time.
class BlockCache {
public:
    std::shared_ptr<const BlockLists> of(const EstimateInput& input);

private:
    struct Entry {
        const SoftwareProfile* software;
        Workload workload;
        std::shared_ptr<const BlockLists> lists;
    };
    std::vector<Entry> entries_;
};

/// One rank's blocks for one micro-batch.
struct SharedBlocks {
    std::shared_ptr<const BlockLists> lists;
    std::array<std::vector<Work>, 3> works;  ///< by RecomputeMode, once asked for

    const std::vector<Work>& works_in(RecomputeMode mode, const EstimateInput& input) {
        std::vector<Work>& some = works[static_cast<std::size_t>(mode)];
        if (some.empty()) {
            some = works_of(input, *input.links, lists->list, mode, works.front());
        }
        return some;
    }
};

/// A block choice and, in a small search, its blocks.
struct PlanChunk {
    BlockChoice choice;
    double bound = 0;  ///< seconds a sample that no plan of the chunk goes below
    std::optional<SharedBlocks> blocks{};
};

/// The chunks that hold legal plans, the lowest bound first. The bound is the work of the blocks
/// without recomputation, spread evenly over the stages.
std::vector<PlanChunk> chunks_of(const PlanProblem& problem);

/// Plans of a chunk.
std::uint64_t size_of(const PlanProblem& problem, const PlanChunk& chunk);

}  // namespace ridgeline
