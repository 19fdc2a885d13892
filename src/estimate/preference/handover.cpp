#include "estimate/preference/handover.h"

#include "estimate/families/transformer/parameters.h"
#include "estimate/memory/training_peak.h"
#include "estimate/time/collective.h"
#include "estimate/time/device.h"

#include <algorithm>
#include <string_view>

namespace ridgeline {
namespace {

/// Copies into pages that were never touched, and out of pages that the driver must first copy to
/// pinned ones, bytes a second of each rank; assumed, between a refit of Llama 3.1 8B (12 GB of
/// states a card, 5 s with the weights: NVIDIA-NeMo/RL issue 959) and one of DeepSeek-V3 (about 31
/// GB, 20 s: pull request 638).
constexpr double pageable_out = 3e9;
constexpr double pageable_back = 8e9;

struct MovedBytes {
    double weights = 0;
    double states = 0;
};

/// Bytes of a rank of the fullest stage.
MovedBytes held_by_rank(const EstimateInput& input) {
    const TrainingPeak peak = training_peak(input);
    MovedBytes held;
    if (peak.instants.empty()) {
        return held;
    }
    for (const Component& component : peak.instants[peak.index].components) {
        const std::string_view name = component.name;
        if (name == "optimizer" || name == "master weights") {
            held.states += component.size.base();
        } else if (name == "weights") {
            held.weights += component.size.base();
        }
    }
    return held;
}

}  // namespace

Handover handover(const EstimateInput& trainer, bool colocated) {
    const PreferenceHabits& habits = trainer.software.preference;
    const PreferenceTuning& tuning = *trainer.workload.preference;
    const bool moves = colocated && habits.offloads_states;
    const bool swaps = tuning.reference_waits(habits) && tuning.refers() &&
                       trainer.workload.method == Method::full;
    const auto link = trainer.device.accelerator->pcie_rate;
    if ((!moves && !swaps) || !link || link->base() <= 0) {
        return {};
    }
    const double pinned = link->base();
    const double out = std::min(pinned, pageable_out);
    const double back = std::min(pinned, pageable_back);
    const MovedBytes held = held_by_rank(trainer);
    Handover result;
    if (moves) {
        result.states = held.states / out + held.states / back + 2 * held.weights / pinned;
    }
    if (swaps) {
        result.reference = held.weights / back + 2 * held.weights / pinned;
    }
    return result;
}

double sync_seconds(const EstimateInput& input) {
    // verl's table of transfers (fully_async_policy/README.md) gives 0.35, 0.86 and 1.6 ms a tensor
    // for models of 340, 18 k and 36 k tensors; 1 ms is taken.
    constexpr double each = 1e-3;
    const ParameterCount count = count_parameters(input.architecture);
    double tensors = 0;
    for (const ParameterGroup& group : count.groups) {
        tensors += group.count;
    }
    const LinkModel links = link_model(input.cluster, input.calibration);
    const CollectiveTime moved = collective_time(
        links, Collective::all_gather, Bytes::of_base(2.0 * static_cast<double>(count.total)),
        input.cluster.count, std::min(input.cluster.count, links.per_node));
    return each * tensors + moved.time.base();
}

}  // namespace ridgeline
