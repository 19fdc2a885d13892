#pragma once

#include "advise/reading/words/sentence.h"

#include <cstddef>

namespace ridgeline::reading {

/// A family of models at token `at`, with the version and the size around it.
bool match_family(Sentence& sentence, std::size_t at);

}  // namespace ridgeline::reading
