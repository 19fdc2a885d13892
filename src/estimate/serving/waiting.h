#pragma once

#include "estimate/input.h"
#include "estimate/results.h"

#include <optional>

namespace ridgeline {

/// Of a load that the cache does not hold at once: what runs, while the others wait.
struct WaitingLoad {
    double running = 0;     ///< requests of full length that all replicas hold together
    MemoryEstimate memory;  ///< with those that run alone
};

/// By how much a plan in which requests wait must serve more than one that holds all: estimates do
/// not tell closer rates apart.
inline constexpr double worth_waiting = 1.1;

/// The load of an engine that lets requests wait, where its cache holds fewer than come. Empty: all
/// run at once, not one has room, or the engine allots a slot to each. The verdict is that of one
/// request: the cache takes what is left, however much that is, so that an error of the weights or
/// activations moves the number that runs, not the peak.
std::optional<WaitingLoad> waiting_load(const EstimateInput& input);

/// Requests of a served load that run at once on all replicas, by its memory; all of them where
/// none waits, 1 without serving.
double running_requests(const MemoryEstimate& memory, const Workload& workload);

}  // namespace ridgeline
