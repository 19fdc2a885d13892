#pragma once

#include "estimate/serving/scheduler.h"
#include "spec/workload.h"

#include <cstdint>

namespace ridgeline {

/// Rounds of a closed loop, and requests of one run where that leaves the fewest rounds.
inline constexpr double usual_rounds = 10;
inline constexpr double least_rounds = 5;
inline constexpr std::size_t most_requests = 4000;

/// What comes: the requests of a file, else as many as usual of lengths that are drawn; at random
/// times of a rate above 0 (requests a second), all at once, or one when another ends. The same
/// arguments give the same requests.
Arrivals arrivals_of(const Serving& serving, double rate, std::uint64_t seed);

/// As many requests as stated are always in flight: one comes when another ends.
bool is_closed_loop(const Serving& serving);

/// Answers are spread as those of chats: the longest one that was stated is above their mean.
bool spreads_answers(const Serving& serving);

/// Tokens of the longest prompt and the longest whole request that may come.
double longest_prompt(const Serving& serving);
double longest_request(const Serving& serving);
/// Tokens of a request that runs: of chats their mean, else half of the longest.
double usual_context(const Serving& serving);

}  // namespace ridgeline
