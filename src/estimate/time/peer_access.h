#pragma once

#include "spec/machine.h"

namespace ridgeline {

/// Whether accelerators of a node may read each other's memory over PCIe; without it all that they
/// exchange passes through the host's. The note of the catalog on its links says so.
bool has_peer_access(const Accelerator& accelerator);

/// Most ranks whose kernels may reduce in each other's memory without a library: a whole domain of
/// scale-up links, two cards over PCIe, none without peer access.
///
/// source  vLLM, custom_all_reduce.py: not "on more than two PCIe-only GPUs"
int direct_peers(const Cluster& cluster, int domain);

}  // namespace ridgeline
