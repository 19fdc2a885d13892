#pragma once

#include "advise/reading/words/sentence.h"

namespace ridgeline::reading {

/// What is assumed of a picture whose steps take one pass each.
inline constexpr const char* unguided = "guidance_passes";

/// "sdxl turbo", "lcm lora for sdxl", "1 step": of a model that makes pictures.
void recognise_few_steps(Sentence& sentence);

}  // namespace ridgeline::reading
