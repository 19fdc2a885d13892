#pragma once

#include "advise/reading.h"

namespace ridgeline {

/// The training that a reading asks for: method, length, batch, sharding; what was open is filled and remembered.
void fill_training(Reading& reading, Query& query);

}  // namespace ridgeline
