#pragma once

#include "advise/plan_search.h"
#include "advise/plan_walk.h"
#include "estimate/memory.h"
#include "estimate/work.h"

#include <array>
#include <cstdint>
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
    bool works_follow_step = false;  ///< see work.h
};

/// One rank's blocks for one micro-batch.
struct SharedBlocks {
    OperatorList list;
    std::vector<BlockMemory> memory;
    std::array<std::vector<Work>, 3> works;  ///< by RecomputeMode, once asked for

    explicit SharedBlocks(const EstimateInput& input)
        : list(training_operators(input.architecture, input.workload, input.software)),
          memory(block_memories(input, list)) {}

    const std::vector<Work>& works_in(RecomputeMode mode, const EstimateInput& input) {
        std::vector<Work>& some = works[static_cast<std::size_t>(mode)];
        if (some.empty()) {
            some = works_of(input, *input.links, list, mode);
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
