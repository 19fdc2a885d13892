#pragma once

#include "spec/catalog.h"
#include "spec/machine.h"
#include "spec/stand.h"

#include <string_view>

namespace ridgeline {

/// Domains this large are racks of trays that reach each other, not servers.
inline constexpr int rack_scale_from = 32;
/// Double-width cards in the usual largest server, and modules on its board.
inline constexpr int cards_of_a_server = 8;

/// `count` accelerators as they are sold and linked: the machine's links when a machine is given,
/// else the part's own scale-up link (PCIe where it has none, and where the link is a two-card
/// bridge that is bought apart) inside nodes of at most the part's domain (8 for PCIe parts).
/// Between nodes, unless a machine says otherwise, a fabric of the part's PCIe generation is
/// assumed: one NIC an accelerator for module parts, one 100 GbE port a node for cards.
///
/// per_node  0: the largest usual node; else as given (a rack-scale domain is not cut into trays)
Cluster make_cluster(const Catalog& catalog, const Accelerator& accelerator, int count,
                     int per_node = 0, const Machine* machine = nullptr);

/// Replaces the links of a cluster by what a line of text says of them, as the evidence rows write
/// it: "PCIe5", "NVLink4 inside; 4x HDR200 per node outside", "EFA ... (50 GB/s per GPU) outside".
/// What the text does not say stays.
void apply_fabric(Cluster& cluster, const Catalog& catalog, std::string_view fabric);

/// A module without a scale-up link: each is a machine of its own (a GH200).
bool stands_alone(const Accelerator& accelerator);

}  // namespace ridgeline
