#pragma once

#include "advise/search/search.h"

namespace ridgeline {

/// Hardware that nobody is known to sell or rent in that number; an empty reason when somebody
/// does, or when the user owns it, names it with its count or asks for all.
Rejection supply_limit(const Search& search, const Candidate& candidate, const Cluster& cluster);

/// A chip that the stack's current wheels are not built for; an empty reason when they are, or when
/// the user names or owns it.
Rejection support_limit(const Search& search, const Candidate& candidate,
                        const SoftwareProfile& software, int count);

}  // namespace ridgeline
