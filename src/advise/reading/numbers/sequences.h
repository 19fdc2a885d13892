#pragma once

#include "advise/reading/numbers/units.h"
#include "advise/reading/words/sentence.h"

namespace ridgeline::reading {

/// "16 sequences" come at once, "4k sequences" are so long, "2M sequences", "300k sequences of 512"
/// and those of what reads proteins are what is learnt from or read.
///
/// at, end  the number's token, and one past the word
Field field_of_sequences(const Sentence& sentence, std::size_t at, const Measure& measure,
                         std::size_t end);

}  // namespace ridgeline::reading
