#pragma once

#include "advise/reading/words/sentence.h"

#include <cstddef>

namespace ridgeline::reading {

/// "60% done", "40 % left", "crashed at 30 %", "halfway through": the share of a run that is done.
/// Before a percentage is one of the day.
bool match_done_share(Sentence& sentence, std::size_t at);

/// What is left of the tokens, steps or samples of a run whose share was told; where none of them
/// was, the share is named as not understood. After the length of the run.
void leave_rest_of_run(Sentence& sentence);

}  // namespace ridgeline::reading
