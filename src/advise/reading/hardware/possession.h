#pragma once

#include "advise/reading/words/sentence.h"

namespace ridgeline::reading {

/// What is there already: hardware behind "my" and "i have".
void take_owned(Sentence& sentence);
/// "what should i upgrade my 3070 to": the part that goes, and what betters it.
void take_replacement(Sentence& sentence);

}  // namespace ridgeline::reading
