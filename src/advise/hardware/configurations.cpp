#include "advise/hardware/configurations.h"

#include "base/order.h"

#include <fmt/format.h>

namespace ridgeline {

// Boards of other makers share a chip and are products of their own (Jetson Orin, DGX Spark).
bool is_computer(const Accelerator& part) {
    return part.kind == "soc" && part.vendor == "Apple" && !part.chip.empty();
}

std::vector<const Accelerator*> configurations(const Catalog& catalog, const Accelerator& part) {
    if (!is_computer(part)) {
        return {&part};
    }
    std::vector<const Accelerator*> all;
    for (const Accelerator& other : catalog.accelerators) {
        if (is_computer(other) && other.vendor == part.vendor && other.chip == part.chip) {
            all.push_back(&other);
        }
    }
    stable_order(all.begin(), all.end(), [](const Accelerator* a, const Accelerator* b) {
        return a->marketed_gb < b->marketed_gb;
    });
    return all;
}

std::string sold_name(const Accelerator& part) {
    return is_computer(part)
               ? fmt::format("{} {} with {:g} GB", part.vendor, part.chip, part.marketed_gb)
               : part.id;
}

}  // namespace ridgeline
