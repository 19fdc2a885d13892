#pragma once

#include "advise/fits/judged.h"

namespace ridgeline {

/// Where whole training fits with states of 16 bits, as its stack keeps them, and would not in
/// mixed precision: says so in the first sentence, with both figures.
void tell_narrow_states(const FitCase& fit, Judged& best);

}  // namespace ridgeline
