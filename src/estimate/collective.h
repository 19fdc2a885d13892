#pragma once

#include <string_view>

#include "base/quantity.h"
#include "spec/calibration.h"
#include "spec/machine.h"

namespace ridgeline {

struct CollectiveTime {
    Seconds time;
    Tier tier = Tier::assumed;
    std::string_view source;
};

/// Time of one collective over `ranks` ranks of a cluster, of which `ranks_per_node` share a node
/// (hierarchical when ranks span nodes). `size` as nccl-tests counts it: the whole buffer
/// (all-gather: what a rank ends up with; reduce-scatter: what it starts with).
///
/// ranks <= 1 takes no time.
CollectiveTime collective_time(const Cluster& cluster,
                               const Calibration& calibration,
                               Collective operation,
                               Bytes size,
                               int ranks,
                               int ranks_per_node);

}  // namespace ridgeline
