#pragma once

#include <string_view>

#include "spec/calibration.h"
#include "spec/offer.h"
#include "spec/workload.h"

namespace ridgeline::report {

/// The words of the workload document and the JSON answers for each choice.
std::string_view word_of(Method method);
std::string_view word_of(Sharding sharding);
std::string_view word_of(RecomputeMode mode);
std::string_view word_of(OffloadTarget target);
std::string_view word_of(PriceKind kind);
std::string_view word_of(Tier tier);

}  // namespace ridgeline::report
