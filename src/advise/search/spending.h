#pragma once

#include "advise/search/search.h"

#include <optional>

namespace ridgeline {

/// As nobody waits longer for a run: a quarter.
inline constexpr double longest_wait_s = 91 * 86400.0;

/// Whether a run has a length of its own: tokens, samples or epochs.
bool has_length(const Option& option);

/// What a budget of rent pays for where a run of training has no length of its own.
struct Spending {
    double seconds = 0;
    double tokens = 0;  ///< that pass in that time; 0: the model counts none
    double tokens_low = 0, tokens_high = 0;
};
/// Empty: no such budget, or no rent is known.
std::optional<Spending> spending_of(const Query& query, const Option& option);

}  // namespace ridgeline
