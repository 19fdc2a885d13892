#pragma once

#include "spec/catalog.h"

#include <string>
#include <vector>

namespace ridgeline {

/// A whole computer around one chip, which is sold with several memories.
bool is_computer(const Accelerator& part);

/// The computers around the chip of one, itself among them, in the order of their memory; a card
/// alone.
std::vector<const Accelerator*> configurations(const Catalog& catalog, const Accelerator& part);

/// "Apple M3 Ultra with 512 GB": the price of a computer is that of its memory; else the id.
std::string sold_name(const Accelerator& part);

}  // namespace ridgeline
