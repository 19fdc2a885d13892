#pragma once

#include "advise/reading/words/sentence.h"

#include <cstddef>

namespace ridgeline::reading {

/// "batch size of 8", "ttft under 500 ms": a name at token `at`, and its number behind it.
bool match_name_before(Sentence& sentence, std::size_t at);

}  // namespace ridgeline::reading
