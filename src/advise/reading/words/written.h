#pragma once

#include "advise/reading/words/sentence.h"

namespace ridgeline::reading {

/// Tokens of a text by what it is called, at four for three words; 0: the word tells no length.
int usual_length(const Sentence& sentence);

/// What work writes where nobody said how much: a translation is about as long as what is read, a
/// label or a score a few tokens.
void settle_written(Sentence& sentence);

}  // namespace ridgeline::reading
