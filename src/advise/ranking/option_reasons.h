#pragma once

#include "advise/search/search.h"

#include <cstddef>

namespace ridgeline {

/// Says why an option stands where it does: its labels, what it needs, how it is spread, what
/// bounds it.
///
/// options    how many fit
/// one_count  all have as many accelerators as each other
void explain(const Search& search, Option& option, std::size_t options, bool one_count);

}  // namespace ridgeline
