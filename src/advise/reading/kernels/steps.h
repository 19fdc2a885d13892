#pragma once

#include "advise/reading/words/sentence.h"

namespace ridgeline::reading {

/// A single kernel by its name, with sides, counts and number type.
void recognise_kernels(Sentence& sentence);
/// The number beside it that no other step has understood.
void recognise_kernel_sizes(Sentence& sentence);
/// What is still open of a kernel, and the intent of a question about one.
void settle_kernel(Sentence& sentence);

}  // namespace ridgeline::reading
