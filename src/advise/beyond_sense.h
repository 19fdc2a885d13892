#pragma once

#include "advise/answer.h"

#include <string>
#include <vector>

namespace ridgeline {

/// The longest run, the most hardware and the largest sum that anybody can mean. What goes beyond
/// was read wrongly, or asked of hardware that is far too small for it.
inline constexpr double longest_sense_years = 1000;
inline constexpr double most_sense_accelerators = 1e6;
inline constexpr double most_sense_usd = 1e12;

/// Why no plan can mean an answer: "12.5k years, more than 1,000 years, which ..."; empty where all
/// its figures can be meant. The hours of one accelerator, where they are asked, say how much work
/// it is and not how long anybody waits.
std::string beyond_sense(const Answer& reply);
/// The same of the length and the price of a run.
std::string beyond_sense(const Estimate& estimate);

/// The figures of a run by which an answer is judged.
std::vector<AnswerValue> figures_of_run(const Estimate& estimate);

/// The answer that says so in place of `reply`; the hours of work stay, where they can be meant.
Answer refusal_of(const Answer& reply);

}  // namespace ridgeline
