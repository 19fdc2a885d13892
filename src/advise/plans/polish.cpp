#include "advise/plans/polish.h"

#include "advise/plans/plan_search.h"
#include "estimate/resolve/legality.h"

#include <utility>

namespace ridgeline {
namespace {

constexpr double hardly_slower = 1.02;  // below what an estimate tells apart

bool leaves_room_for_certain(const EstimateInput& input) {
    const MemoryEstimate memory = estimate_memory(input);
    return memory.fits && memory.verdict == FitVerdict::yes &&
           memory.headroom() >= memory.capacity * share_left_free(input);
}

double seconds_per_sample(const EstimateInput& input) {
    return estimate_time(input).step / second / input.workload.batch.global;
}

/// Half the stages, twice the copies; empty where that is no plan.
std::optional<Workload> with_half_the_stages(const EstimateInput& input) {
    Workload half = input.workload;
    Plan& plan = half.plan;
    if (plan.pipeline < 2 || plan.pipeline % 2 != 0) {
        return std::nullopt;
    }
    plan.pipeline /= 2;
    plan.data *= 2;
    if (plan.sharding == Sharding::none) {
        plan.sharding = Sharding::ddp;
    }
    const int pass = half.batch.micro * plan.data;
    if (half.batch.global % pass != 0 || plan.pipeline == 1 ||
        half.batch.global / pass % plan.pipeline != 0) {
        plan.virtual_pipeline = 1;
    }
    const bool legal =
        half.batch.global % pass == 0 && check_plan(input.architecture, half, input.cluster);
    return legal ? std::optional(std::move(half)) : std::nullopt;
}

Workload with_fewer_stages(const EstimateInput& found) {
    Workload best = found.workload;
    const double most = hardly_slower * seconds_per_sample(found);
    for (auto half = with_half_the_stages(found); half;
         half = with_half_the_stages(found.with(best))) {
        const EstimateInput input = found.with(*half);
        if (!leaves_room_for_certain(input) || seconds_per_sample(input) > most) {
            break;
        }
        best = std::move(*half);
    }
    return best;
}

/// The fewest layers of a stage in full that leave room.
Workload with_less_recomputed(const EstimateInput& found) {
    const int layers = (found.architecture.text().layers + found.workload.plan.pipeline - 1) /
                       found.workload.plan.pipeline;
    Workload best = found.workload;
    int low = 0;  // leaves no room: the search tried none at all
    int high = layers;
    while (high - low > 1) {
        Workload trial = found.workload;
        const int middle = low + (high - low) / 2;
        trial.plan.full_recompute_layers = middle;
        const bool room = check_plan(found.architecture, trial, found.cluster).has_value() &&
                          leaves_room_for_certain(found.with(trial));
        (room ? high : low) = middle;
        best = room ? trial : best;
    }
    return best;
}

}  // namespace

Workload polished(const EstimateInput& found, const PlanFreedom& free) {
    const Plan& plan = found.workload.plan;
    const bool stages = free.shape && plan.pipeline > 1;
    const bool by_layer = found.software.runtime.kind == RuntimeKind::megatron && free.recompute &&
                          plan.recompute == RecomputeMode::full && plan.full_recompute_layers < 0;
    if ((!stages && !by_layer) || !leaves_room_for_certain(found)) {
        return found.workload;
    }
    const Workload best = stages ? with_fewer_stages(found) : found.workload;
    return by_layer ? with_less_recomputed(found.with(best)) : best;
}

}  // namespace ridgeline
