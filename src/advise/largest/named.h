#pragma once

#include "advise/answers/answer.h"

#include <string>

namespace ridgeline {

/// " The largest by name: mistral-large-123b (19.1 of 23.5 GiB, 14 tokens/s), of experts
/// gpt-oss-120b (...)." of the profiles' models whose id tells their size, where they are larger
/// than `told`, the largest that the answer names already; empty: none is.
///
/// asked  the use, without a model
/// size   parameters of the largest dense model that fits
std::string largest_by_name(const Reading& asked, double size, double told, const Cluster& cluster,
                            const AnswerTools& tools);

}  // namespace ridgeline
