#pragma once

#include "advise/advise.h"

#include <string>
#include <string_view>
#include <vector>

namespace ridgeline {

struct Search;

/// Changes that would make a rejected cluster run the question, each re-estimated; shortest first.
///
/// first_alone  only the first of them
std::vector<std::string> would_fit_if(const Search& search, const Rejection& rejection,
                                      bool first_alone);

}  // namespace ridgeline
