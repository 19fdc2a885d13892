#pragma once

#include "advise/reading/words/sentence.h"

namespace ridgeline::reading {

/// "amd only", "not on aws", "with ecc": makers, providers and features that are wanted or ruled
/// out.
void take_makers(Sentence& sentence);

}  // namespace ridgeline::reading
