#pragma once

#include "advise/reading/words/sentence.h"

namespace ridgeline::reading {

/// "spent $2000 of $5000", "$300 left of a $1000 budget", "have $5000 and already spent $2000":
/// what is left is the sum of the question.
void take_what_is_left(Sentence& sentence);

}  // namespace ridgeline::reading
