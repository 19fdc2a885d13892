#pragma once

#include "estimate/serving/pass_times.h"
#include "spec/engine_profile.h"
#include "spec/workload.h"

#include <cstddef>
#include <limits>
#include <vector>

namespace ridgeline {

/// How one replica of an engine runs iterations, with what its hardware and workload leave it.
struct EngineRules {
    SchedulerProfile scheduler;
    double budget = 0;         ///< tokens of one iteration
    double most_passes = 4e5;  ///< of prompts on a replica that are run one by one
    double sequences = std::numeric_limits<double>::infinity();  ///< most that run at once
    double cache_tokens = 0;  ///< that the cache holds; infinity: no bound
    double cached_share = 0;  ///< of each prompt, found in the prefix cache
    double step_host = 0;     ///< seconds that the host adds to an iteration
    double request_host = 0;  ///< seconds of a request before it can be scheduled
    double request_alone =
        0;                  ///< of them, those that the front end spends on one request at a time
    double token_host = 0;  ///< seconds that the front end takes to write one token to its reader
    double drafts = 0;      ///< seconds of proposing tokens before a step, for one sequence count
    double tokens_a_step = 1;  ///< that a step yields a sequence: above 1 with speculation
    double stages = 1;         ///< of a pipeline, which take groups of the sequences in turn
    double overlap = 1;        ///< share of waiting prompts that the stages overlap
    double hand_over = 0;      ///< seconds between the stages, of one iteration
};

/// The time of what does not come.
inline constexpr double never = std::numeric_limits<double>::infinity();

/// The replicas behind one router, which sends a request to the one with the fewest.
struct Fleet {
    int replicas = 1;
    int prompt_replicas = 0;        ///< of them run prompts alone; 0: each runs both
    double transfer_per_token = 0;  ///< seconds to send a token's cache from prompt to decode
};

/// Requests in the order in which they come.
struct Arrivals {
    std::vector<TracedRequest> requests;
    double in_flight = 0;  ///< above 0: a closed loop, in which one enters when another ends
};

/// What one request saw. Seconds since the run began.
struct RequestTimes {
    double arrival = 0;
    double first = 0;  ///< token
    double end = 0;
    double output = 0;  ///< tokens
};

struct ScheduledRun {
    std::vector<RequestTimes> requests;
    double seconds = 0;  ///< from the first arrival to the last token
    std::size_t preemptions = 0;
    std::size_t iterations = 0;
    double fullest_cache = 0;  ///< tokens in the cache of the fullest replica, at most
};

/// Runs the requests iteration by iteration, as the engine's scheduler would. Steps of decode in
/// which nobody joins or leaves are taken at once, so the work grows with requests, not tokens.
/// The same arguments give the same run.
ScheduledRun run_requests(const PassTimes& times, const EngineRules& rules, const Fleet& fleet,
                          const Arrivals& arrivals);

}  // namespace ridgeline
