#include "estimate/serving/cache_room.h"

#include "estimate/memory/counters.h"
#include "estimate/serving/serving_pass.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ridgeline {
namespace {

/// What stands beside the cache on a card, in bytes.
struct BesideCache {
    double weights = 0;
    double outside = 0;   ///< of the driver and libraries
    double fixed = 0;     ///< highest pass that does not grow with the sequences
    double sequence = 0;  ///< of a decode step, for each that decodes
    double choice = 0;    ///< of the trial choice of tokens, for each that the engine is to run
    double most = 0;      ///< that it runs in that trial
    [[nodiscard]] double moving(double sequences) const {
        return std::max({fixed, sequences * sequence, choice * std::min(most, sequences)});
    }
};

/// What the runtime gives the cache, and what its memory fraction leaves unused of the card, while
/// so many sequences decode.
///
/// needed  cache of the workload at full concurrency
CacheRoom room_of(const EstimateInput& input, const BesideCache& beside, double sequences,
                  double needed) {
    const double capacity = input.cluster.accelerator->capacity().base();
    const auto [weights, outside] = std::pair{beside.weights, beside.outside};
    const double moving = beside.moving(sequences);
    const double free = capacity - weights - moving - outside;
    if (!input.software.engine.memory_fraction) {
        return {free, 0};
    }
    const double share = *input.software.engine.memory_fraction;
    switch (input.software.engine.memory_fraction_of) {
        case MemoryShare::card:
            break;
        case MemoryShare::weights_and_cache: {
            // The rest of the card must hold activations and context; it is lost where it is more.
            const double rest = (1 - share) * capacity;
            return {std::min(share * capacity - weights, free),
                    std::max(0.0, rest - moving - outside)};
        }
        case MemoryShare::free_after_weights:
            return {share * free, (1 - share) / share * needed};
    }
    return {free - (1 - share) * capacity, (1 - share) * capacity};
}

/// The trial pass of an engine with a bound on its sequences, which chooses their tokens before the
/// cache gets what is left (vllm/v1/worker/gpu_model_runner.py, _dummy_sampler_run): the scores in
/// 16 and in 32 bits, sorted with their 64-bit places in two buffers, and as probabilities. Who
/// serves a closed loop tells the engine how many it is to run.
void add_trial_choice(const EstimateInput& input, BesideCache& beside) {
    constexpr double bytes_a_score = 2 + 4 + 2 * (4 + 8) + 4;
    const Serving serving = input.workload.serving.value_or(Serving{});
    const double bound = most_sequences(input);
    if (!std::isfinite(bound)) {
        return;
    }
    beside.choice = bytes_a_score * input.architecture.vocabulary;
    beside.most = bound;
    if (serving.burst || serving.request_rate > 0) {
        beside.fixed = std::max(beside.fixed, bound * beside.choice);
    }
}

BesideCache beside_cache(const EstimateInput& input, const InferencePeak& peak) {
    const OutsideTensors tensors = outside_tensors(input);
    BesideCache beside{.weights = peak.weights.base(),
                       .outside = tensors.context + tensors.library};
    for (auto step = peak.instants.begin() + 1; step != peak.instants.end(); ++step) {
        const double moving = (step->total - peak.weights - peak.cache).base();
        if (step->name == decode_instant) {
            beside.sequence = moving / peak.sequences_held;
        } else {
            beside.fixed = std::max(beside.fixed, moving);
        }
    }
    add_trial_choice(input, beside);
    return beside;
}

}  // namespace

CacheRoom room_of_cache(const EstimateInput& input, const InferencePeak& peak) {
    const BesideCache beside = beside_cache(input, peak);
    const double needed = peak.cache.base();
    const double each = peak.cache_of_a_sequence.base();
    const auto room_with = [&](double sequences) {
        return room_of(input, beside, sequences, needed);
    };
    const CacheRoom of_all = room_with(peak.sequences_held);
    if (!requests_may_wait(input) || each <= 0 || of_all.cache >= needed) {
        return of_all;
    }
    double held = 1;
    double beyond = peak.sequences_held;
    constexpr double close = 1.001;
    while (beyond > close * held) {
        const double middle = std::sqrt(held * beyond);
        (room_with(middle).cache >= middle * each ? held : beyond) = middle;
    }
    return room_with(held);
}

}  // namespace ridgeline
