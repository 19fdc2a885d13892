#pragma once

#include "spec/architecture.h"
#include "spec/catalog.h"
#include "spec/workload_document.h"

#include <vector>

namespace ridgeline {

/// The stacks that people use for a workload on so many accelerators: the one that the document
/// names, else by task, method, size and what runs on the part; never empty while the profiles are
/// not, except for an unknown name.
std::vector<const SoftwareProfile*> usual_software(const Profiles& profiles,
                                                   const WorkloadDocument& document,
                                                   const Architecture& architecture,
                                                   const Accelerator& part, int count);

}  // namespace ridgeline
