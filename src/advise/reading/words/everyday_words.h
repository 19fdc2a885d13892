#pragma once

#include "advise/reading/words/token.h"

#include <vector>

namespace ridgeline::reading {

/// Puts everyday words of German, Spanish, French, Portuguese and Italian that no table of words
/// has into English, where the question is in that language: "KI" is "ai" in German.
void settle_everyday_words(std::vector<Token>& tokens);

/// The same of words that the tables of words do have in these languages: for who looks for those
/// of English alone.
void settle_all_everyday_words(std::vector<Token>& tokens);

}  // namespace ridgeline::reading
