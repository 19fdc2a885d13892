#pragma once

#include "advise/reading/words/sentence.h"

#include <cstddef>

namespace ridgeline::reading {

/// "8.3 GB of text", "features 53GB": so much data, no memory.
bool match_data_size(Sentence& sentence, std::size_t at);
/// The tokens of a text of which only the bytes were told. After all amounts.
void settle_data_sizes(Sentence& sentence);

}  // namespace ridgeline::reading
