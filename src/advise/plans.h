#pragma once

#include <string>
#include <vector>

#include "spec/architecture.h"
#include "spec/catalog.h"
#include "spec/machine.h"
#include "spec/workload.h"

namespace ridgeline {

/// `count` accelerators as they are sold and linked: the machine's links when a machine is given,
/// else the part's own scale-up link (PCIe where it has none) inside nodes of at most the part's
/// domain (8 for PCIe parts), and a stated assumption between nodes.
Cluster make_cluster(const Catalog& catalog,
                     const Accelerator& accelerator,
                     int count,
                     int per_node = 0,
                     const Machine* machine = nullptr);

/// Legal plans for a workload on a cluster, cheapest trade first. `base` gives what is fixed.
std::vector<Workload> enumerate_plans(const Workload& base,
                                      const Architecture& architecture,
                                      const Cluster& cluster);

}  // namespace ridgeline
