#pragma once

#include "advise/reading/sentence.h"

namespace ridgeline::reading {

/// What a sum pays for: the cards alone or the computer around them (attribute "computer"), one card or several.
void settle_purchase(Sentence& sentence);

/// Is renting weighed against owning?
bool weighs_owning(const Sentence& sentence);

}  // namespace ridgeline::reading
