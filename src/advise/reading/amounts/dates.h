#pragma once

#include "advise/reading/words/sentence.h"

#include <cstddef>

namespace ridgeline::reading {

/// "2027-03-01", "1 march", "until friday". Two days are the time between them.
bool match_date(Sentence& sentence, std::size_t at);

}  // namespace ridgeline::reading
