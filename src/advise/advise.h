#pragma once

#include "advise/advice.h"
#include "base/result.h"

namespace ridgeline {

/// The best plan on each accelerator and count, rejections with numbers, ranked.
Result<Advice> advise(const Query& query, const Architecture& architecture,
                      const Knowledge& knowledge);

/// How much of an answer is asked for. Each change that would make a near miss fit, and each other
/// method, takes milliseconds.
enum class AdviceExtent {
    whole,    ///< changes for every near miss, and the other methods
    text,     ///< what a short text shows: one change for the nearest, and the other methods
    options,  ///< the options alone, for a question within another
};
Result<Advice> advise(const Query& query, const Architecture& architecture,
                      const Knowledge& knowledge, AdviceExtent extent);

}  // namespace ridgeline
