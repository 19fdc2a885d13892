#pragma once

#include "advise/reading/words/sentence.h"

#include <cstddef>

namespace ridgeline::reading {

/// A model at token `at` of a family that no profile has, by the table of such names.
bool match_foreign(Sentence& sentence, std::size_t at);

}  // namespace ridgeline::reading
