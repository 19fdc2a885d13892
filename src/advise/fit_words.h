#pragma once

#include "advise/answer.h"

namespace ridgeline {

/// The verdict on several at once: each on its share of the cards, or so many side by side on each.
Answer of_copies(Answer one, const Reading& reading);

/// In words that answer "will it oom" too, where a bare yes would say the opposite.
Answer without_yes_and_no(Answer reply);

}  // namespace ridgeline
