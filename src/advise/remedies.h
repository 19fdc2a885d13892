#pragma once

#include "advise/advise.h"

#include <string>
#include <string_view>
#include <vector>

namespace ridgeline {

struct Search;

/// Changes that would make a rejected cluster run the question, each re-estimated; shortest first.
std::vector<std::string> would_fit_if(const Search& search, const Rejection& rejection);

}  // namespace ridgeline
