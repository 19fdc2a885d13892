#pragma once

#include "estimate/input.h"
#include "spec/machine.h"

namespace ridgeline {

/// The engine that writes the answers of a round: how it is spread and how many it writes at once.
struct RolloutEngine {
    Workload workload;  ///< one replica's plan on all of them, decoding
    Cluster cluster;    ///< the accelerators that generate
    int tensor = 1;     ///< ranks of a replica
    double replicas = 1;
    double weights = 0;        ///< bytes of the policy on one rank
    double cache = 0;          ///< bytes of one answer of the longest length on one rank
    double mean_cache = 0;     ///< of one of the mean length
    double share = 0;          ///< of the card that it may take
    bool takes_share = false;  ///< it was stated: the engine fills it with cache as it starts
};

/// Tokens of an answer.
struct AnswerLengths {
    double prompt = 0;
    double mean = 0;     ///< of the answer alone
    double longest = 0;  ///< of the answer alone
};
AnswerLengths answer_lengths(const Workload& workload);

/// Share of answers that go on after `tokens` tokens: even and then falling evenly where the mean
/// is above half of the longest, else falling exponentially and cut off there. Its integral is the
/// mean.
double still_running(const AnswerLengths& lengths, double tokens);

/// The engine that writes the answers; null where the trainer itself does.
const SoftwareProfile* rollout_software(const EstimateInput& input);

/// accelerators  that generate
RolloutEngine rollout_engine(const EstimateInput& input, int accelerators);

/// Seconds until the last of `answers` answers is written, to `prompts` prompts whose tokens are
/// computed once each.
double rollout_seconds(const EstimateInput& input, const RolloutEngine& engine, double prompts,
                       double answers);

}  // namespace ridgeline
