#pragma once

#include "advise/reading/words/sentence.h"

namespace ridgeline::reading {

/// "llm + some sd": the usual size of a language model that is spoken of without one beside another
/// model, and whether it is. After the usual networks of tasks.
bool settle_language_model(Sentence& sentence);

}  // namespace ridgeline::reading
