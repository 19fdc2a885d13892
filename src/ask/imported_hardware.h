#pragma once

#include "ask/imports.h"

#include <string_view>

namespace ridgeline::ask {

/// Whether the command of a request has such an option.
bool takes_option(const Request& request, std::string_view option);

/// Lays hardware, batches, rounds and copies of what files say under the options of a request.
/// asked: the request without its files.
///
/// errors  answers of a round that are no whole groups
Result<void> place_imports(const World& world, const Request& asked, const Imported& imported,
                           ImportedRequest& out);

}  // namespace ridgeline::ask
