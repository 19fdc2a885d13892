#pragma once

#include "spec/catalog.h"

#include <filesystem>

namespace ridgeline::cli {

/// XDG_DATA_HOME/ridgeline/prices, else ~/.local/share/ridgeline/prices; empty when neither is set.
std::filesystem::path user_price_folder();

/// Adds the user's price files after the bundled ones; what cannot be read is noted in the catalog.
void add_user_prices(Catalog& catalog);

}  // namespace ridgeline::cli
