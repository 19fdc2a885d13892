#pragma once

#include "advise/advise.h"

#include <string>
#include <string_view>
#include <vector>

namespace ridgeline {

struct Search;

/// What can be enlarged until memory is full.
enum class Largest { batch, sequence, concurrency, rank };

/// The largest value of `what` with which the workload still fits, everything else equal; 0 when
/// even 1 does not fit. Exact: memory never falls as any of them grows.
///
/// limits  sequence in steps of one token x context parallelism; nothing above 1e9 is tried
long long largest(Largest what, const EstimateInput& input);

/// The input's workload with `what` set to `value`.
Workload with_value(Largest what, const Workload& workload, long long value);

/// Changes that would make a rejected cluster run the question, each re-estimated; shortest first.
std::vector<std::string> would_fit_if(const Search& search, const Rejection& rejection);

}  // namespace ridgeline
