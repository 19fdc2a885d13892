#pragma once

#include "advise/reading/words/sentence.h"

#include <cstddef>

namespace ridgeline::reading {

/// Words that ask for the end of a scale; "how" only with what it asks ("how far", "how many").
bool is_degree(const Sentence& sentence, std::size_t i);

/// "biggest qwen that fits on a 4090", "which llama can i run on 24gb": the word of degree at token
/// `at`, the name of the family at `noun`.
bool match_family_extreme(Sentence& sentence, std::size_t at, std::size_t noun);

/// "largest moe on 4x 3090", "which mixture of experts can i run": of all models those of that
/// form.
void match_experts(Sentence& sentence);

}  // namespace ridgeline::reading
