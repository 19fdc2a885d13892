#pragma once

#include "advise/reading/words/sentence.h"

#include <cstddef>

namespace ridgeline::reading {

/// "in a month", "overnight", "24/7".
bool match_time_words(Sentence& sentence, std::size_t at);

}  // namespace ridgeline::reading
