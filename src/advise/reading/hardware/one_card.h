#pragma once

#include "advise/reading/words/sentence.h"

namespace ridgeline::reading {

/// "no multi gpu", "without dual cards", "dont want multiple gpus", "no sli": one card.
void forbid_several(Sentence& sentence);

/// Whether the word at token i counts several and is ruled out: "no dual gpu" has no two of them.
bool denies_several(const Sentence& sentence, std::size_t i);

}  // namespace ridgeline::reading
