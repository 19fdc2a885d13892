#pragma once

#include "spec/accelerator.h"
#include "spec/device_record.h"

#include <string>
#include <vector>

namespace ridgeline {

/// The catalog entry that a device is, and how that was seen.
struct DeviceMatch {
    const Accelerator* accelerator = nullptr;  ///< none: the catalog does not know it
    std::string how;                           ///< "PCI id 2330", "name", "name and memory"
};

/// By PCI id (of entries that share one: the memory decides), else by name or alias, else by the
/// words of the name with memory and units. A MIG slice or vGPU is matched to its whole card.
DeviceMatch match_device(const DeviceRecord& device, const std::vector<Accelerator>& accelerators);

/// Whether the memory that a driver shows may be that of the entry (within 8 %: reserves and units
/// differ).
bool same_memory(const DeviceRecord& device, const Accelerator& accelerator);

}  // namespace ridgeline
