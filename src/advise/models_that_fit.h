#pragma once

#include "advise/answer.h"

namespace ridgeline {

/// Of the sizes of a family the largest that fits in each way; of nearly equal ones the newest.
Result<Answer> largest_of_family(const Reading& reading,
                                 const Cluster& cluster,
                                 const AnswerTools& tools);

/// The largest dense model of any size that fits in each way.
Result<Answer> largest_models(const Reading& reading,
                              const Cluster& cluster,
                              const AnswerTools& tools);

}  // namespace ridgeline
