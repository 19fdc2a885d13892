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

bool requests_may_wait(const EstimateInput& input) {
    return input.workload.task == Task::inference && input.workload.serving &&
           input.software.engine.lets_requests_wait() && !input.architecture.stacks.empty() &&
           input.architecture.text().causal;
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
    double running = of_one > 0 ? std::floor(peak.cache_room.base() / of_one) : 0;
    if (each <= 1 || running >= each) {
        return std::nullopt;
    }
    const MemoryEstimate one = memory_with(input, replicas);
    if (!one.fits) {
        return std::nullopt;
    }
    WaitingLoad load;
    // Activations of a step shrink with those that decode, so that the first count is at most a few
    // too many or too few.
    for (running = std::max(1.0, running);; running = std::floor(running * 0.99)) {
        load.memory = memory_with(input, running * replicas);
        if (load.memory.fits || running <= 1) {
            break;
        }
    }
    load.running = running * replicas;
    // A request grows to its full length: on average it has its prompt and half of its answer.
    const Serving& serving = *input.workload.serving;
    const double mean = serving.input_tokens + serving.output_tokens / 2;
    const double growth = (mean + serving.output_tokens / 2) / std::max(1.0, mean);
    load.sharing = load.running * growth;
    load.card_holds_all = (peak.cache_room + peak.unclaimed).base() * growth >= each * of_one;
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
