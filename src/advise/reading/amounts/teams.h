#pragma once

#include "advise/reading/words/sentence.h"

#include <cstddef>

namespace ridgeline::reading {

/// "a 60 seat call center", "25 lines of live captioning": so many speak at once.
bool match_lines(Sentence& sentence, std::size_t at);

/// "a team of 20", "our department of about 60 people": as many users as it has.
bool match_team(Sentence& sentence, std::size_t at);

/// "15 % active at once", "a fifth of them online": the share of the people that were told who ask
/// at the same moment. Claims its words, before a percentage is one of the day.
void recognise_active_share(Sentence& sentence);
/// Requests at once of the people that were told, by that share of them. After amounts are read.
void count_active_share(Sentence& sentence);

}  // namespace ridgeline::reading
