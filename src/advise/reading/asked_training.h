#pragma once

#include "advise/reading.h"

namespace ridgeline::reading {
/// What is assumed of a run that computes attention alone again.
inline constexpr const char* selective_recompute = "recompute";
}  // namespace ridgeline::reading

namespace ridgeline {

/// The training that a reading asks for: method, length, batch, sharding; what was open is filled
/// and remembered.
void fill_training(Reading& reading, Query& query);

}  // namespace ridgeline
