#pragma once

#include "advise/purchase/budget.h"

#include <cstddef>
#include <vector>

namespace ridgeline {

inline constexpr std::size_t rentals_shown = 6;

/// TFLOP/s of one in bf16 (else fp16), dense; in fp64 for scientific computing.
double dense_tflops(const Query& query, const Profiles& profiles, const Accelerator& part);

/// Whether the most memory is sought.
bool by_memory(const Query& query);

/// Whether a part is one of those that are asked for, whatever it costs.
bool wanted(const Query& query, const Profiles& profiles, const Accelerator& part);

/// What costs at most `usd_per_hour`: of each part as many as that pays for on one machine; by
/// `query.objective` the cheapest first, else the fastest.
std::vector<Rentable> rents_within(const Query& query, const Knowledge& knowledge,
                                   double usd_per_hour);

/// Days since the oldest of the rents that an answer shows was listed.
void note_oldest_rent(BudgetAnswer& answer, std::string_view today);

}  // namespace ridgeline
