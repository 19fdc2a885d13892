#pragma once

#include "spec/architecture.h"

namespace ridgeline {

/// Whether adapters have a place: beside the projections of attention, so of networks that are
/// programs (has_program) in denoisers alone.
bool takes_adapters(const Architecture& architecture);

}  // namespace ridgeline
