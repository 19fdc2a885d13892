#pragma once

#include "advise/advice.h"

#include <array>

namespace ridgeline {

/// What puts an option behind others whatever it costs, from the weightiest reason on: what nobody
/// sells, what has no fans of its own for a desk, what recipes are not written for
/// (`off_the_path`), what writes more slowly than one reads or lets one wait, what takes months,
/// what only barely fits, copies on machines that nobody joins, what barely keeps a time or a rate,
/// what a marketplace alone rents out where others are to be had on demand. Less is better.
using Standing = std::array<int, 10>;
Standing standing(const Query& query, const Option& option);

/// Whether an option stands behind another for nothing but that it barely keeps a time or a rate.
bool barely_behind(const Query& query, const Option& option, const Option& other);

/// How far a part at a desk stands from what recipes of training, quantised weights among them, and
/// engines other than those of GGUF files are written for: CUDA (0), then ROCm, where those of
/// pictures, and engines for many at once, leave consumer parts to themselves (1; else they are
/// kept: 0), then the others (2).
/// Who asks for another maker has it.
int off_the_path(const Query& query, const Option& option);

}  // namespace ridgeline
