#pragma once

#include "advise/reading/words/sentence.h"

namespace ridgeline::reading {

/// "vram per dollar", "$/gb", "cheapest per gb of vram": parts ranked by what a sum of them has,
/// where no model says what the work is. After models and hardware, before phrases.
void recognise_worth(Sentence& sentence);
/// The intent of such a question, and what it needs of the rest.
void settle_worth(Sentence& sentence);

}  // namespace ridgeline::reading
