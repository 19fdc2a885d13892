#pragma once

#include "base/quantity.h"
#include "spec/calibration.h"
#include "spec/machine.h"

#include <array>
#include <string_view>
#include <vector>

namespace ridgeline {

inline constexpr int collective_operations = static_cast<int>(Collective::count_);

/// One collective over one number of ranks that share a scale-up domain:
/// t = alpha + f(ranks) S / bus bandwidth + gamma sqrt(S).
struct LinkCurve {
    double alpha = 0;             ///< seconds
    double seconds_per_byte = 0;  ///< 1 / bus bandwidth
    double gamma = 0;             ///< seconds / sqrt(byte)
    Tier tier = Tier::assumed;
    std::string_view source;  ///< into the Calibration, which must outlive the model
    double spread = 1;        ///< alpha and gamma may be this many times smaller or larger
};

/// The links of a cluster with every rank count of a domain resolved once, so that the time of a
/// collective is a look-up. Make one for each (accelerator, links, calibration), not for each call.
struct LinkModel {
    /// [operation][ranks], ranks from 0 to the size of the domain (at most 128 entries).
    std::array<std::vector<LinkCurve>, collective_operations> inside;
    /// Between domains: alpha and gamma of two domains, seconds_per_byte of one accelerator's share
    /// of the network.
    std::array<LinkCurve, collective_operations> between;
    int per_node = 1;  ///< accelerators of a node
    int domain = 1;    ///< accelerators that the scale-up links join (a rack for NVL72)
};

/// Resolves the links of a cluster: rows of the part itself, else of the same link, else of the
/// same kind of link scaled by its rate, else of any link (assumed). Between measured rank counts
/// the figures are interpolated in log(ranks), but never across the switch from ring to in-switch
/// reduction.
LinkModel link_model(const Cluster& cluster, const Calibration& calibration);

struct CollectiveTime {
    Seconds time;
    Tier tier = Tier::assumed;
    std::string_view source;
    double least = 1;  ///< factors on `time` from what is not known of the latency of a network
    double most = 1;
};

/// Time of one collective over `ranks` ranks, of which `ranks_per_node` share a node (hierarchical
/// when ranks span domains). `size` as nccl-tests counts it: the whole buffer (all-gather: what a
/// rank ends up with; reduce-scatter: what it starts with; point to point: the message).
///
/// ranks <= 1 or an empty buffer takes no time.
CollectiveTime collective_time(const LinkModel& links, Collective operation, Bytes size, int ranks,
                               int ranks_per_node);

/// Bytes a rank moves over its link per byte of the buffer: 2 (n - 1) / n for all-reduce,
/// (n - 1) / n for all-gather, reduce-scatter and all-to-all, 1 for point to point.
double bus_factor(Collective operation, int ranks);

}  // namespace ridgeline
