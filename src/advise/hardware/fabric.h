#pragma once

#include "base/result.h"
#include "spec/catalog.h"
#include "spec/machine.h"
#include "spec/workload_document.h"

#include <string>
#include <string_view>
#include <vector>

namespace ridgeline {

/// Word for InfiniBand whose generation nobody said: that of the accelerator's slot.
inline constexpr std::string_view infiniband_of_slot = "infiniband";

/// Catalog ids of a port of InfiniBand, each twice as fast as the one before: EDR, HDR, NDR, XDR.
inline constexpr std::string_view infiniband_generations[] = {"ib-edr", "ib-hdr", "ib-ndr",
                                                              "ib-xdr"};

/// Which of them an accelerator's slot carries, as a NIC cannot outrun it: EDR in PCIe 3 to XDR in
/// PCIe 6.
std::size_t infiniband_generation(const Accelerator& accelerator);

/// Whether text names a network between nodes: "ib-ndr", "infiniband", "eth-100:2" (ports of a
/// node); or what joins the cards of a machine, "nvlink" or "pcie"; or both: "nvlink+ib-ndr".
///
/// errors  an unknown link, another one inside a machine, a count of ports outside 1 to 64; the
/// nearest word
Result<void> check_network(const Catalog& catalog, std::string_view text);

/// That the cards of the cluster were taken as joined by PCIe though a bridge is sold for them, or
/// that bridges join only some of them; empty: nothing was assumed.
std::string assumed_links(const Cluster& cluster);

/// The cluster with its cards joined by their bridge where "nvlink" is required of it.
Cluster linked_as_required(Cluster cluster, const Catalog& catalog,
                           const std::vector<std::string>& require);

/// The cluster with its cards and its nodes joined by the network that the document states; where
/// it states none, or one that `check_network` refuses, as it was. Without a count of ports an
/// accelerator has one of its own, but a node shares one of plain Ethernet.
Cluster joined_as_stated(Cluster cluster, const Catalog& catalog, const WorkloadDocument& document);

}  // namespace ridgeline
