#pragma once

#include "advise/reading/words/sentence.h"

namespace ridgeline::reading {

/// "amd only", "not on aws", "with ecc": makers, providers and features that are wanted or ruled
/// out.
void take_makers(Sentence& sentence);

/// "after how many months is a 4090 cheaper than runpod": owning is weighed against renting there.
bool asks_when_cheaper(const Sentence& sentence);

}  // namespace ridgeline::reading
