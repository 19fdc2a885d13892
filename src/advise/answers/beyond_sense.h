#pragma once

#include "advise/answers/answer.h"

#include <string>
#include <vector>

namespace ridgeline {

/// Why no plan can mean an answer: "12.5k years, more than 1,000 years, which ..."; empty where all
/// its figures can be meant. The hours of one accelerator, where they are asked, say how much work
/// it is and not how long anybody waits.
std::string beyond_sense(const Answer& reply);

/// The figures of a run by which an answer is judged.
std::vector<AnswerValue> figures_of_run(const Estimate& estimate);

/// The answer that says so in place of `reply`; the hours of work stay, where they can be meant.
Answer refusal_of(const Answer& reply);

}  // namespace ridgeline
