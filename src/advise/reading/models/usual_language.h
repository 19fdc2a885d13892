#pragma once

#include "advise/reading/words/sentence.h"

#include <string_view>

namespace ridgeline::reading {

/// Why a model was assumed whose size nobody said: larger ones are answered beside it.
inline constexpr std::string_view size_left_open =
    "a small language model, as no size was said: larger ones stand beside it";

/// "best gpu for llm", "llm + some sd": the usual size of a language model that is spoken of
/// without one. After the usual networks of tasks.
void settle_language_model(Sentence& sentence);

}  // namespace ridgeline::reading
