#pragma once

#include "advise/search/search.h"

#include <vector>

namespace ridgeline {

/// Which options an answer shows: the first `top` by accelerator (each by its best count), every
/// labelled one and what is told beside the first; what room is left goes to further counts in
/// their order.
std::vector<bool> shown_options(const Advice& advice);

/// Simulates the load of the serving options that are shown (estimate/serving/served_load.h), which
/// were found by their steady state. One that misses a target of the question becomes a rejection,
/// and the next takes its place. Options stay ranked; other workloads are left as they are.
void simulate_finalists(const Search& search, Advice& advice);

}  // namespace ridgeline
