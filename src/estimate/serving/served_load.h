#pragma once

#include "estimate/input.h"
#include "estimate/results.h"

#include <cstdint>
#include <optional>

namespace ridgeline {

/// What a request may take at most.
struct LoadTargets {
    std::optional<Seconds> ttft;
    std::optional<Seconds> tpot;
    [[nodiscard]] bool stated() const { return ttft || tpot; }
};

/// First drawn number of every simulation.
inline constexpr std::uint64_t load_seed = 1;

/// Simulates the scheduler of the workload's engine under its load: a closed loop of ten rounds, as
/// benchmarks run, requests at random times, all at once, or those of a file. Nothing where there
/// is no load to speak of: a phase alone, a network without tokens, an encoder.
///
/// targets  goodput and the largest rate are found where one is stated
///
/// Iteration-level scheduling after Yu et al. 2022 (Orca), chunked prompts after Agrawal et al.
/// 2024 (Sarathi-Serve), goodput after Zhong et al. 2024 (DistServe).
std::optional<ServedLoad> served_load(const EstimateInput& input, const LoadTargets& targets = {},
                                      std::uint64_t seed = load_seed);

/// Puts the load beside the steady state of inference_time, and the figures that requests see into
/// its place.
void add_load(TimeEstimate& time, const EstimateInput& input, const LoadTargets& targets = {});

}  // namespace ridgeline
