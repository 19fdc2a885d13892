#pragma once

#include "advise/answers/answer.h"

namespace ridgeline {

/// The verdict on several at once: each on its share of the cards, or so many side by side on each.
Answer of_copies(Answer one, const Reading& reading);

/// In words that answer "will it oom" too, where a bare yes would say the opposite.
Answer without_yes_and_no(Answer reply);

/// "is a 5090 overkill for sdxl?": whether much less memory would do, in front of what is needed.
Answer judged_as_too_much(Answer reply);

}  // namespace ridgeline
