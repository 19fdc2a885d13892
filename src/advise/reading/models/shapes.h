#pragma once

#include "advise/reading/words/sentence.h"

namespace ridgeline::reading {

// What the form of a sentence tells, beside its words.

/// "h100 hours", "A100-hours": time on the part, not a number of it.
bool counts_part_hours(const Sentence& sentence);

/// "we have 2 million dollars", "with a budget of $500k": a sum that is there to be spent, no limit
/// that what is bought stays under.
bool has_to_spend(const Sentence& sentence);

/// "$50k of h100 time", "2 million dollars worth of b200 compute": of what is rented for the sum.
bool pays_for_time_on(const Sentence& sentence);
/// "..., hours?": a unit of time alone at the end, without a number before it.
bool ends_in_time(const Sentence& sentence);
/// "or" or a slash between two kinds of hardware: "mi300x or h200".
bool either_between(const Sentence& sentence);
/// "going from a 3090 to a 5090", "upgrade my 3090 to a 5090"
bool goes_from_to(const Sentence& sentence);
/// "h100 sxm, h200, b200": three different parts or more, with no more than "and" or "or" between.
bool lists_kinds(const Sentence& sentence);
/// "than" between two kinds of hardware, and no number of theirs: "smarter than one 5080".
bool than_between(const Sentence& sentence);
/// "rather than" alone between two kinds of hardware: "an l40s rather than an a100".
bool preferred_between(const Sentence& sentence);
/// "only l4 or l40s", "h100 or h200 only": no other hardware may be.
bool only_parts(const Sentence& s);
/// "min # of h100 nodes", "least a100", "lowest number of gpus": the fewest that do it.
bool seeks_fewest(const Sentence& sentence);
/// "how many h100", "how many 24gb cards", "wie viele a100"
bool counts_parts(const Sentence& sentence);
/// "will it oom", "does it need more than 8 h200", "is it too weak": a yes would mean that it does
/// not fit.
bool asks_for_failure(const Sentence& sentence);

}  // namespace ridgeline::reading
