#pragma once

#include "advise/reading/sentence.h"

#include <cstddef>

namespace ridgeline::reading {

/// "64 users", "8k context", "80 gb": a number at token `at`, and its unit behind it.
bool match_unit_after(Sentence& sentence, std::size_t at);

}  // namespace ridgeline::reading
