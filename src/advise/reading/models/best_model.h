#pragma once

#include "advise/reading/words/names.h"

#include <string>
#include <vector>

namespace ridgeline::reading {

using NamedModels = std::vector<Names::Model>;

/// Whether the pieces, in their order, begin the name of one of the models.
bool can_continue(const NamedModels& models, const std::vector<std::string>& said);

/// The model that has all pieces that were said and the fewest beside; of these the newest, and of
/// a version that of the most usual size.
const Names::Model* best_of(const NamedModels& models, std::vector<std::string> said);

/// The release that a name tells ("qwen", "2.5", "7b": 2.5); 0: none.
double version_of(const std::vector<std::string>& pieces);

}  // namespace ridgeline::reading
