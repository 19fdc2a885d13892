#pragma once

#include "advise/reading/reading.h"

namespace ridgeline::reading {
/// Of the assumed field by which the batch that was said is that of each accelerator.
inline constexpr const char* batch_of_each = "micro_batch";
/// What is assumed of a run that computes attention alone again.
inline constexpr const char* selective_recompute = "recompute";
}  // namespace ridgeline::reading

namespace ridgeline {

/// The training that a reading asks for: method, length, batch, sharding; what was open is filled
/// and remembered.
void fill_training(Reading& reading, Query& query);

/// Samples of a step of the usual run of what is trained, at least one of each card; nothing: no
/// run of it is usual, or it says none.
std::optional<int> usual_batch_of(const Reading& reading);

}  // namespace ridgeline
