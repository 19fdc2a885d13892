#pragma once

#include "advise/reading/words/sentence.h"

namespace ridgeline::reading {

/// Sizes of one's own of a recurrent network or of the tables of a recommender: "2-layer lstm
/// hidden 1500 vocab 33k", "dlrm with 100 GB of embeddings". They go behind the model's name, as
/// ask::with_own_figures reads them. After models, before amounts.
void recognise_own_sizes(Sentence& sentence);

}  // namespace ridgeline::reading
