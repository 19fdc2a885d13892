#pragma once

#include "advise/reading/words/sentence.h"

#include <cstddef>

namespace ridgeline::reading {

/// "a 350M llama-style model", "gpt-3 style 6.7b": a size whose shape is that of a family at token
/// `at`; no model of that name is meant.
bool match_styled_model(Sentence& sentence, std::size_t at);

}  // namespace ridgeline::reading
