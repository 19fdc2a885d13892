#include "estimate/stacks/step_script.h"

#include "estimate/stacks/fsdp1.h"
#include "estimate/stacks/fsdp2.h"
#include "estimate/stacks/fsdp_mixed.h"
#include "estimate/stacks/plain.h"
#include "estimate/work/quantization.h"

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
    const bool simple = rank.software().allocator.replays && one_stream(rank.list) &&
                        rank.plan().pipeline == 1 &&
                        !keeps_layers_on_host(rank.plan(), rank.software().support);
    if (rank.software().runtime.copies_out()) {
        return simple && uses_fsdp(rank) && rank.plan().expert == 1 &&
               rank.plan().full_recompute_layers < 0 &&
               rank.plan().offload_parameters == OffloadTarget::none;
    }
    // What LLM.int8 makes of its operands and outputs is in no operator's list.
    const QuantFormat* format = quant_format(workload.quantization.name);
    const bool rows = format != nullptr && format->keeps_input && format->block == 0;
    const Plan& plan = rank.plan();
    const bool whole =
        rank.dense_group <= 1 || (plan.sharding == Sharding::ddp && plan.context == 1);
    if (!rank.software().runtime.flattens() && ((!whole && !shards_mixed(rank)) || rows)) {
        return false;
    }
    return simple && rank.plan().recompute != RecomputeMode::selective && !workload.compiled;
}

}  // namespace

std::optional<Script> step_script(const Rank& rank, Bytes library) {
    if (!follows(rank)) {
        return std::nullopt;
    }
    if (rank.software().runtime.copies_out()) {
        return fsdp2_script(rank, library);
    }
    if (shards_mixed(rank)) {
        return rank.software().runtime.options.shards_by_parameter
                   ? fsdp2_script(rank, library)
                   : fsdp_mixed_script(rank, library);
    }
    return rank.software().runtime.flattens() ? fsdp1_script(rank, library)
                                              : plain_script(rank, library);
}

}  // namespace ridgeline
