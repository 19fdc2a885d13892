#pragma once

#include "spec/catalog.h"
#include "spec/machine.h"

#include <string>
#include <string_view>

namespace ridgeline {

/// What a line of text says of the links of a cluster.
struct FabricWords {
    enum class Inside { unsaid, pcie, pcie_peers, scale_up };  // peers: a driver that adds them
    Inside inside = Inside::unsaid;  ///< between the accelerators of a node
    std::string network;             ///< link id of the network between nodes; empty: unsaid
    std::string network_kind;        ///< its words
    double gb_per_s = 0;             ///< one way, of a node or an accelerator; 0: unsaid
    bool per_accelerator = false;    ///< the rate is that of one accelerator, else of a node
};

/// Reads the words in which benchmark pages describe links: "NVLink 8; 4 x 100 Gb RoCE per node",
/// "PCIe5", "NVLink4 inside; EFA v3 (p5en, 50 GB/s per GPU) outside". A network whose ports are not
/// counted has no rate; networks for storage or management do not count.
FabricWords read_fabric(std::string_view text);

/// Replaces the links of a cluster by those that the words say; what they do not say stays.
///
/// per_node  accelerators that share the ports of a "node": in a rack those of a tray
void apply_fabric(Cluster& cluster, const Catalog& catalog, const FabricWords& words, int per_node);

}  // namespace ridgeline
