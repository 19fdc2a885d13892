#pragma once

#include "ask/request.h"
#include "ask/world.h"
#include "base/result.h"

#include <filesystem>

namespace ridgeline::cli {

/// XDG_DATA_HOME/ridgeline/prices, else ~/.local/share/ridgeline/prices; empty when neither is set.
/// What lies there counts for every answer.
std::filesystem::path user_price_folder();

/// `prices import | list | sources | remove`.
Result<ask::Reply> prices(const ask::World& world, const ask::Request& request);

}  // namespace ridgeline::cli
