#pragma once

#include "advise/answers/answer.h"

#include <span>
#include <vector>

namespace ridgeline {

/// Which side, for what, by which factor.
Result<Answer> reply_compare(const Reading& reading, const Query& query, const AnswerTools& tools);
/// The same of engines, methods, types of weights or models on the hardware of the question, else
/// on H100.
Result<Answer> reply_compare_values(const Reading& reading, const Query& query,
                                    const AnswerTools& tools);

/// What an hour of each part and number costs by the instances that the sides name, in the order of
/// `parts`; zero: none was named.
std::vector<double> rents_of_instances(std::span<const ReadSide> sides,
                                       std::span<const Accelerator* const> parts,
                                       std::span<const int> counts, const Catalog& catalog);

}  // namespace ridgeline
