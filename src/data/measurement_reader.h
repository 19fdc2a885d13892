#pragma once

#include "data/reader.h"
#include "spec/measurement.h"

#include <optional>

namespace ridgeline {

/// The parts of a calibration document that a probe wrote: `measurement`, `points` and `fits`.
/// Nothing when the document holds none of them. Keys that are unknown inside them are kept quiet
/// about: a later version may write more.
std::optional<MeasuredRun> read_measurement(Reader& document);

}  // namespace ridgeline
