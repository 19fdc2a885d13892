#pragma once

#include "ask/request.h"
#include "ask/world.h"
#include "base/result.h"
#include "web/page_file.h"

#include <string>

namespace ridgeline::cli {

/// The parts of the page: the files beside the program, catalog and profiles, and the core where it
/// was built or `--core` names it.
Result<web::PageParts> page_parts(const ask::WorldPlaces& places, const ask::Request& request);

/// Why there is no page without a server: its core was not built. `where` asked for it.
Error no_core(const std::string& where);

/// `page --output FILE`. errors  the core was not built: without a server the page has no answers
Result<ask::Reply> page(const ask::WorldPlaces& places, const ask::Request& request);

}  // namespace ridgeline::cli
