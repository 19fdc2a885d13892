#pragma once

#include "advise/answers/answer.h"

namespace ridgeline {

/// Whether parts are to be ranked by a figure of theirs for the money: `Reading::attributes` holds
/// "value" and then the figure ("memory", "bandwidth", "flops"), and no model is named.
bool asks_for_worth(const Reading& reading);

/// Cards that are sold today (or rented, where rents are spoken of), by how much of the figure
/// their price buys.
Answer reply_worth(const Reading& reading, const AnswerTools& tools);

}  // namespace ridgeline
