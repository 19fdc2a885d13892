#pragma once

#include "advise/reading/words/sentence.h"

#include <cstddef>

namespace ridgeline::reading {

/// "a 60 seat call center", "25 lines of live captioning": so many speak at once.
bool match_lines(Sentence& sentence, std::size_t at);

/// "a team of 20", "our department of about 60 people": as many users as it has.
bool match_team(Sentence& sentence, std::size_t at);

}  // namespace ridgeline::reading
