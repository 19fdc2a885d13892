#pragma once

#include "advise/reading/words/sentence.h"

namespace ridgeline::reading {

/// "my laptop has a 4070": the one card that is named is that of the laptop, unless it stands
/// beside it.
void settle_laptop_card(Sentence& sentence);

/// What a laptop's part does depends on the power that its maker allows.
void tell_laptop_power(Sentence& sentence);

}  // namespace ridgeline::reading
