#pragma once

#include "advise/reading/words/sentence.h"

#include <cstddef>

namespace ridgeline::reading {

/// "256 per batch", "2 images per gpu", "16 imgs a batch", "128/gpu": what a step takes, whatever
/// it is called.
bool match_per_batch(Sentence& sentence, std::size_t at);
/// "64 users", "8k context", "80 gb": a number at token `at`, and its unit behind it.
bool match_unit_after(Sentence& sentence, std::size_t at);

}  // namespace ridgeline::reading
