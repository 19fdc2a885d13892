#pragma once

#include "advise/query.h"
#include "advise/reading/reading.h"

namespace ridgeline {

/// What the reading bounds the choice of hardware by: latency, money, power, counts, memory,
/// makers, providers, the parts that are named.
void fill_limits(Reading& reading, Query& query);
/// One card, or two, where a fit is asked and no number of cards was said.
void assume_count(Reading& reading, Query& query);
/// Of several at once only the fit is answered as such; else it is said what the figures are of.
void assume_copies(Reading& reading);

}  // namespace ridgeline
