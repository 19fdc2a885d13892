#pragma once

#include "advise/reading/words/sentence.h"

namespace ridgeline::reading {

void recognise_money(Sentence& sentence);
/// "anyone renting h200 under $3": so small a limit of a rent is that of an hour.
void recognise_hourly_limit(Sentence& sentence);

/// "a cheaper card than an a100", "h100 or cheaper": a rent below that of what is named.
void recognise_cheaper(Sentence& sentence);

}  // namespace ridgeline::reading
