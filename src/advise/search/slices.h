#pragma once

#include "advise/search/search.h"

namespace ridgeline {

/// Adds copies of a served model in the MIG slices of a card, where the question asks for MIG.
/// Nobody rents a slice by itself: who did not ask gets whole cards.
void add_slices(const Search& search, const Accelerator& card, Advice& advice);

}  // namespace ridgeline
