#pragma once

#include "advise/reading/words/sentence.h"

namespace ridgeline::reading {

/// Books, and texts of so many pages, are so many tokens: of the whole work where their number is
/// told, else of each that is read.
void settle_long_texts(Sentence& sentence);

/// "articles of 600 words": three words are four tokens, as makers of tokenizers tell it; of what
/// is written where something writes, else of what is read.
bool match_words(Sentence& sentence, std::size_t at);

}  // namespace ridgeline::reading
