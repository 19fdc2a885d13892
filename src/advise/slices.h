#pragma once

#include "advise/search.h"

namespace ridgeline {

/// Adds copies of a served model in the MIG slices of a card, where that is worth more by the
/// objective than the options of whole cards that `advice` has, or where the question asks for MIG.
void add_slices(const Search& search, const Accelerator& card, Advice& advice);

}  // namespace ridgeline
