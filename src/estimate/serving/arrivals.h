#pragma once

#include "estimate/serving/scheduler.h"
#include "spec/workload.h"

#include <cstdint>

namespace ridgeline {

/// What comes: the requests of a file, else as many as usual of lengths that are drawn; at random
/// times of a rate above 0 (requests a second), all at once, or one when another ends. The same
/// arguments give the same requests.
Arrivals arrivals_of(const Serving& serving, double rate, std::uint64_t seed);

/// Tokens of the longest prompt and the longest whole request that may come.
double longest_prompt(const Serving& serving);
double longest_request(const Serving& serving);
/// Tokens of a request that runs: of chats their mean, else half of the longest.
double usual_context(const Serving& serving);

}  // namespace ridgeline
