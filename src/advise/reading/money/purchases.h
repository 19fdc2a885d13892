#pragma once

#include "advise/reading/words/sentence.h"

namespace ridgeline::reading {

/// What a sum pays for: the cards alone or the computer around them (attribute "computer"), one
/// card or several.
void settle_purchase(Sentence& sentence);

/// "what do used a100s sell for": asks for the price.
void recognise_going_prices(Sentence& sentence);

/// Whether the words right before or behind a part say that it is rented, or bought; neither:
/// nothing. An instance is rented.
///
/// of  which of the mentions
std::optional<bool> is_rented(const Sentence& sentence, std::size_t of);

/// "a pc for 2k", "8k workstation"; what is "my pc" is there already.
bool buys_a_computer(const Sentence& sentence);

/// Is renting weighed against owning?
bool weighs_owning(const Sentence& sentence);
/// "our AWS bill for p4de.24xlarge is 11k/month, payback on buying an 8xA100 box": the bill is what
/// renting costs, whatever instance it is for, and owned is the other.
void drop_billed_instance(Sentence& sentence);
/// "p5en.48xlarge vs buying 4 dgx h200": what is owned is counted, and so many are rented. A family
/// is owned in the form that the instance has.
void count_what_is_owned(Sentence& sentence);

}  // namespace ridgeline::reading
