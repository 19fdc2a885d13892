#pragma once

#include "data/traced_operator.h"

#include <string_view>

namespace ridgeline {

/// Fills `out` for a call that looks rows up in tables and sums them by bags: of the tables those
/// rows are read, in a backward pass written too, and no more. False for another call.
bool fill_look_up(const TracedCall& call, std::string_view name, TracedOperator& out);

}  // namespace ridgeline
