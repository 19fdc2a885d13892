#include "estimate/serving/waiting.h"

#include "estimate/serving/serving_memory.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

MemoryEstimate memory_with(const EstimateInput& input, double concurrency) {
    Workload fewer = input.workload;
    fewer.serving->concurrency = concurrency;
    return estimate_serving_memory(input.with(fewer));
}

}  // namespace

std::optional<WaitingLoad> waiting_load(const EstimateInput& input) {
    if (!requests_may_wait(input)) {
        return std::nullopt;
    }
    const double replicas = std::max(1, input.workload.plan.data);
    const double each = std::ceil(input.workload.serving->concurrency / replicas);
    const InferencePeak peak = inference_peak(input);
    const double of_one = peak.cache_of_a_sequence.base();
    if (each <= 1 || of_one <= 0) {
        return std::nullopt;
    }
    const MemoryEstimate one = memory_with(input, replicas);
    if (!one.fits) {
        return std::nullopt;
    }
    WaitingLoad load;
    // Counters round what the cache takes, so that the first count is at most a few too many.
    double running = std::clamp(std::floor(peak.cache_room.base() / of_one), 1.0, each);
    for (;; running = std::floor(running * 0.99)) {
        load.memory = memory_with(input, running * replicas);
        if (load.memory.fits || running <= 1) {
            break;
        }
    }
    if (running >= each) {
        return std::nullopt;
    }
    load.running = running * replicas;
    load.memory.verdict = one.verdict;
    load.memory.barely_by = one.barely_by;
    if (one.verdict == FitVerdict::yes) {
        const double room = (load.memory.capacity - load.memory.unclaimed) / load.memory.process;
        load.memory.band.high = std::min(load.memory.band.high, std::max(1.0, room));
    }
    return load;
}

double running_requests(const MemoryEstimate& memory, const Workload& workload) {
    if (!workload.serving) {
        return 1;
    }
    const double all = workload.serving->concurrency;
    const double held = memory.sequences_held * std::max(1, workload.plan.data);
    return held > 0 && held < all * (1 - 1e-9) ? held : all;
}

}  // namespace ridgeline
