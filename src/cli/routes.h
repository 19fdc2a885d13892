#pragma once

#include "cli/asked.h"
#include "cli/options.h"
#include "cli/world.h"

namespace ridgeline::cli {

/// The document and the reply of a question in words, by its intent.
Result<Answer> route(const CommonOptions& common, Asked& asked, const World& world);

}  // namespace ridgeline::cli
