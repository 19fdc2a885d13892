#pragma once

#include "advise/reading/words/sentence.h"

#include <cstddef>

namespace ridgeline::reading {

/// "2 days a week", "on weekends", "office hours": how much of its time hardware is used.
bool match_habit(Sentence& sentence, std::size_t at);
/// What the habits come to, after all amounts.
void settle_habits(Sentence& sentence);
/// "on weekends", "at night" of a run of training: the share of a time in which it goes on.
void settle_run_share(Sentence& sentence);

}  // namespace ridgeline::reading
