#pragma once

#include "estimate/input.h"
#include "estimate/results.h"

#include <optional>

namespace ridgeline {

/// Replicas of a served model parted into some that only run prompts and some that only decode; the
/// cache of each request is sent from the one to the other.
struct Disaggregation {
    int prompt_replicas = 0;
    int decode_replicas = 0;
    Seconds ttft;      ///< with the wait for other prompts and the sending of the cache
    Seconds tpot;      ///< no prompt interrupts it
    Seconds transfer;  ///< of one request's cache
    double requests_per_second = 0;
};

/// Time to send the cache of one request's prompt to a replica that decodes: each rank sends its
/// part to its counterpart. 0 where the link's rate is not known.
Seconds cache_transfer(const EstimateInput& input);

/// The split of the plan's data-parallel replicas that serves most requests a second at the
/// workload's concurrency; of equals the one with the earlier first token. Nothing with fewer than
/// two replicas, for a phase on its own, or where the cache of a decoding replica does not hold its
/// requests.
///
/// Precondition: as for inference_time.
std::optional<Disaggregation> disaggregate(const EstimateInput& input);

}  // namespace ridgeline
