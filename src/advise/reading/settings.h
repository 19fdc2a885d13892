#pragma once

#include "advise/reading/sentence.h"

namespace ridgeline::reading {

/// What single words set: the kind of price, the aim, the stack, types of weights and of numbers.
void take_settings(Sentence& sentence);

}  // namespace ridgeline::reading
