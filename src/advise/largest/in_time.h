#pragma once

#include "advise/reading/reading.h"
#include "estimate/results.h"

#include <string>

namespace ridgeline {

/// How soon a question wants first tokens, further ones and answers, and nothing else of it.
Query pace_wanted(const Reading& reading);

/// Whether the first token, the further ones and whole answers come as soon as the question wants;
/// true where it wants nothing.
///
/// first, further  factors on the middle of both times
bool soon_enough(const Query& query, const Workload& workload, const TimeEstimate& time,
                 double first, double further);

/// " with the first token within 1 s and at 10 tokens/s or more", where the question wants it;
/// empty: it wants nothing.
std::string target_words(const Query& query);

}  // namespace ridgeline
