#pragma once

#include "advise/reading/words/sentence.h"

namespace ridgeline::reading {

/// The last step: a quantity that is neither 0 nor a positive number of a size that can be computed
/// with is an error.
void check_bounds(Sentence& sentence);

}  // namespace ridgeline::reading
