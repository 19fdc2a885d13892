#include "estimate/stacks/step_script.h"

#include "estimate/stacks/fsdp1.h"
#include "estimate/stacks/fsdp2.h"

#include <algorithm>

namespace ridgeline {
namespace {

/// One way from the tokens to the loss: no encoder, no head that predicts further tokens.
bool one_stream(const OperatorList& list) {
    const auto blocks = [&list](Block::Position position) {
        return std::count_if(list.begin(), list.end(), [position](const Block& block) {
            return block.position == position && !block.tensors.empty();
        });
    };
    return blocks(Block::Position::first) == 1 && blocks(Block::Position::last) == 1;
}

bool follows(const Rank& rank) {
    const Workload& workload = rank.workload();
    const bool simple = rank.software().replays_allocator && one_stream(rank.list) &&
                        rank.plan().pipeline == 1 &&
                        rank.plan().offload_activations == OffloadTarget::none;
    if (rank.software().fsdp_copies_out) {
        return simple && uses_fsdp(rank) && rank.plan().expert == 1 &&
               rank.plan().full_recompute_layers < 0 &&
               rank.plan().offload_parameters == OffloadTarget::none;
    }
    return simple && rank.plan().recompute != RecomputeMode::selective && !workload.compiled;
}

}  // namespace

std::optional<Script> step_script(const Rank& rank, Bytes library) {
    if (!follows(rank)) {
        return std::nullopt;
    }
    return rank.software().fsdp_copies_out ? fsdp2_script(rank, library)
                                           : fsdp1_script(rank, library);
}

}  // namespace ridgeline
