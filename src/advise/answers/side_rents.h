#pragma once

#include "advise/answers/answer.h"

#include <optional>
#include <string>
#include <vector>

namespace ridgeline {

/// The question with each of its sides alone: with the number, the cloud and the kind of price of
/// that side, or with each kind of hardware that was named, forms of one part together; itself
/// where there is one.
std::vector<Reading> each_side(const Reading& reading, const Catalog& catalog);

/// Whether nothing is asked of the rents but what they are, an hour or for a time.
bool is_rented_plainly(const Reading& reading);

/// Whether it is asked of hardware what a time costs, or a kind of rent.
bool asks_for_bill(const Reading& reading);

/// "Rent 8 x b200-sxm-180gb from $40.00/h (...), 8 x mi325x for ...", with what the time that was
/// said costs; adds a figure for each, and the cheapest as the choice. Empty: none is rented out.
std::string rents_of_sides(const std::vector<Reading>& sides, const Catalog& catalog,
                           Answer& reply);

/// Which side of a comparison is the cheaper to rent, each by its own cloud and kind of price: by
/// an hour of an accelerator, or by all of them for the time that was said; nothing where none, or
/// one of which nothing is said, is rented out.
std::optional<Answer> reply_compared_rents(const Reading& reading, const AnswerTools& tools);

}  // namespace ridgeline
