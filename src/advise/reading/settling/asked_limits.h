#pragma once

#include "advise/query.h"
#include "advise/reading/reading.h"

namespace ridgeline {

/// What the reading bounds the choice of hardware by: latency, money, power, counts, memory,
/// makers, providers, the parts that are named.
void fill_limits(Reading& reading, Query& query);

}  // namespace ridgeline
