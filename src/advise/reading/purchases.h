#pragma once

#include "advise/reading/sentence.h"

namespace ridgeline::reading {

/// What a sum pays for: the cards alone or the computer around them (attribute "computer"), one
/// card or several.
void settle_purchase(Sentence& sentence);

/// "a pc for 2k", "8k workstation"; what is "my pc" is there already.
bool buys_a_computer(const Sentence& sentence);

/// What is to be bought must be: used or new, a card, a laptop; whether noise is spoken of
/// (attribute "noise").
void settle_wishes(Sentence& sentence);

/// Is renting weighed against owning?
bool weighs_owning(const Sentence& sentence);

}  // namespace ridgeline::reading
