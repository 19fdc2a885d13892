#pragma once

#include "advise/reading/words/sentence.h"

namespace ridgeline::reading {

/// Books, and texts of so many pages, are so many tokens: of the whole work where their number is
/// told, else of each that is read.
void settle_long_texts(Sentence& sentence);

}  // namespace ridgeline::reading
