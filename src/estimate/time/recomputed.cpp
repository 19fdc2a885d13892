#include "estimate/time/recomputed.h"

#include <algorithm>

namespace ridgeline {
namespace {

/// A checkpoint that stops early ends before the operator that keeps the layer's last tensor, when
/// what it keeps is its own input: the last product is not computed again
/// (torch/utils/checkpoint.py, _StopRecomputationError). A compiled layer has nobody who reads its
/// second output either.
bool computed_again(const EstimateInput& input, const Operator& op, const Operator* last) {
    if (!input.software.runtime.stops_recomputing() && !input.workload.compiled) {
        return true;
    }
    const bool later_keeps = std::any_of(&op + 1, last, [](const Operator& other) {
        return other.kept[0] != no_tensor || other.role == Role::adapter;
    });
    const bool keeps_input = op.role == Role::linear && op.kept[0] == op.inputs[0];
    return later_keeps || (op.kept[0] != no_tensor && !keeps_input) || op.role == Role::adapter;
}

/// Every second product and all that streams is repeated; the attention output is kept.
double share_of_second_products(Role role) {
    switch (role) {
        case Role::attention:
            return 0;
        case Role::linear:
        case Role::expert_linear:
        case Role::router:
            return 0.5;
        default:
            return 1;
    }
}

}  // namespace

double recomputed_share(const EstimateInput& input, RecomputeMode recompute, const Operator& op,
                        const Operator* last) {
    const bool loss_side = op.role == Role::head || op.role == Role::loss;
    switch (recompute) {
        case RecomputeMode::none:
            return 0;
        case RecomputeMode::full:
            return loss_side || !computed_again(input, op, last) ? 0 : 1;
        case RecomputeMode::selective:
            break;
    }
    if (input.software.runtime.selective() == SelectiveRecompute::core_attention || loss_side) {
        return op.role == Role::attention ? 1 : 0;
    }
    return share_of_second_products(op.role);
}

}  // namespace ridgeline
