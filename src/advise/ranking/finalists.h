#pragma once

#include "advise/search/search.h"

namespace ridgeline {

/// Simulates the load of the best serving options (estimate/serving/served_load.h), which were
/// found by their steady state. One that misses a target of the question becomes a rejection, and
/// the next takes its place. Options stay ranked; other workloads are left as they are.
void simulate_finalists(const Search& search, std::vector<Option>& options,
                        std::vector<Rejection>& rejections);

}  // namespace ridgeline
