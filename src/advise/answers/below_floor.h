#pragma once

#include "advise/advice.h"
#include "advise/answers/answer.h"

#include <string>

namespace ridgeline {

/// The fewest accelerators of the recommended part's rivals, itself included, that hold the load
/// and went last because each user reads faster than they write; null: none takes fewer than what
/// is recommended.
const Option* fewest_below_floor(const Advice& advice);

/// Leads with the fewest of a part that was named without a number, so that its number is what is
/// asked and prompts fill a window: they hold the load, and how fast was not said. What keeps a
/// reader's pace stands behind. False: a part that was not named holds it, or none takes fewer.
bool lead_with_fewest(const Advice& advice, Answer& reply);

/// "how many H100 for 13B in 30 days": of a part that was named without a number the fewest that
/// end training in time, before those whose work costs least. False: those are the fewest.
bool lead_with_fewest_in_time(const Advice& advice, Answer& reply);

/// " 8 x NVIDIA H200 at $35.76/h hold it too, at 2.2 tokens/s for each."; empty: there is none.
std::string below_floor_words(const Advice& advice);

}  // namespace ridgeline
