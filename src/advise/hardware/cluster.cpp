#include "advise/hardware/cluster.h"

#include "advise/hardware/fabric.h"
#include "advise/hardware/fabric_words.h"
#include "base/text.h"
#include "spec/mig.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string>

// Which links join the accelerators of a cluster when nobody said so. Rates are one way, for one
// accelerator. A NIC cannot outrun its slot, so the assumed fabric follows the PCIe generation:
// 3 -> EDR 100, 4 -> HDR 200, 5 -> NDR 400, 6 -> XDR 800 Gb/s.

namespace ridgeline {
namespace {

/// The drive of a node that nobody stated: one of PCIe 4.0 as measured.
constexpr std::string_view usual_drive = "nvme-gen4-consumer";

Link link_or(const Catalog& catalog, std::string_view id, std::string kind, BytesPerSecond rate) {
    if (const Link* link = catalog.link(id)) {
        return *link;
    }
    return Link{.id = std::string(id),
                .kind = std::move(kind),
                .rate = rate,
                .latency = {},
                .sources = {},
                .assumed = true};
}

// "NVLink 4" -> "nvlink", "Infinity Fabric / xGMI" -> "xgmi".
std::string family_of(std::string_view kind) {
    const std::string text = lower(kind);
    for (const char* family : {"nvlink", "xgmi", "infinity", "ici", "neuronlink", "roce"}) {
        if (contains(text, family)) {
            return std::string(family) == "infinity" ? "xgmi" : family;
        }
    }
    return {};
}

char first_digit(std::string_view text) {
    const auto at = std::ranges::find_if(
        text, [](char c) { return std::isdigit(static_cast<unsigned char>(c)); });
    return at == text.end() ? '\0' : *at;
}

// The catalog link that is the part's own scale-up link: same family, same generation, same rate.
Link scale_up_link(const Catalog& catalog, const ScaleUp& own) {
    const std::string family = family_of(own.kind);
    const char generation = family == "nvlink" ? first_digit(own.kind) : '\0';
    const Link* best = nullptr;
    for (const Link& link : catalog.links) {
        const bool same_family = !family.empty() && contains(link.id, family);
        if (!same_family || contains(link.id, "c2c") || contains(link.id, "bridge")) {
            continue;
        }
        const bool same_rate = own.rate && std::abs(link.rate.base() / own.rate->base() - 1) < 0.02;
        const bool same_generation = generation != '\0' && first_digit(link.id) == generation;
        if (generation != '\0' ? same_generation : same_rate) {
            best = &link;
            break;
        }
    }
    Link result = best != nullptr ? *best
                                  : Link{.id = family.empty() ? "scale-up" : family,
                                         .kind = own.kind,
                                         .rate = {},
                                         .latency = {},
                                         .sources = {},
                                         .assumed = false};
    if (own.rate) {
        result.rate = *own.rate;
    }
    return result;
}

Link pcie_link(const Catalog& catalog, const Accelerator& accelerator) {
    const int generation = std::max(3, accelerator.pcie_generation);
    const int lanes = accelerator.pcie_lanes > 0 ? accelerator.pcie_lanes : 16;
    const std::string id = "pcie" + std::to_string(generation) + "-x" + std::to_string(lanes);
    // 128b/130b coding: 8, 16, 32 GT/s a lane.
    const double nominal = 8e9 / 8 * std::exp2(generation - 3) * lanes * 128 / 130;
    const BytesPerSecond rate =
        accelerator.pcie_rate ? *accelerator.pcie_rate : BytesPerSecond::of_base(nominal);
    return link_or(catalog, id, "PCIe", rate);
}

/// Parts of one cloud alone have the network of its largest machine, not the fabric of modules that
/// anyone can build with.
std::optional<Link> fabric_of_its_machines(const Catalog& catalog, const Accelerator& accelerator) {
    const Machine* largest = nullptr;
    for (const Machine& machine : catalog.machines) {
        if (machine.accelerator == accelerator.id && machine.scale_out && machine.provider &&
            (largest == nullptr || machine.accelerators > largest->accelerators)) {
            largest = &machine;
        }
    }
    const Link* link = largest == nullptr ? nullptr : catalog.link(*largest->scale_out);
    if (link == nullptr) {
        return {};
    }
    Link share = *link;
    share.rate = share.rate *
                 static_cast<double>(largest->scale_out_ports.value_or(largest->accelerators)) /
                 static_cast<double>(largest->accelerators);
    return share;
}

Link assumed_fabric(const Catalog& catalog, const Accelerator& accelerator, int per_node) {
    Link link;
    const bool of_one_cloud = accelerator.kind == "tpu" || accelerator.vendor == "AWS";
    if (const auto own =
            of_one_cloud ? fabric_of_its_machines(catalog, accelerator) : std::optional<Link>()) {
        link = *own;
    } else if (is_module(accelerator) && !of_one_cloud) {
        const std::size_t generation = infiniband_generation(accelerator);
        link = link_or(catalog, std::string(infiniband_generations[generation]), "InfiniBand",
                       12.5 * std::exp2(generation) * gigabyte_per_second);
    } else {
        link = link_or(catalog, "eth-100", "Ethernet 100 Gb/s", 12.5 * gigabyte_per_second);
        link.rate = link.rate / std::max(1, per_node);
        link.kind += ", one port a node shared by its accelerators";
    }
    link.assumed = true;
    return link;
}

int usual_node(const Accelerator& accelerator) {
    if (is_slice(accelerator)) {
        return slices_of_card(accelerator) * cards_of_a_server;
    }
    const int domain = accelerator.scale_up.max_domain;
    if (!is_module(accelerator) || domain < 2) {
        return is_module(accelerator) ? 1 : cards_of_a_server;
    }
    // NeuronLink joins all chips of an instance, sixteen or twelve of them.
    const bool whole_domain = domain >= rack_scale_from || accelerator.vendor == "AWS";
    return whole_domain ? domain : std::min(domain, cards_of_a_server);
}

int largest_divisor(int count, int limit) {
    for (int size = std::min(count, limit); size > 1; --size) {
        if (count % size == 0) {
            return size;
        }
    }
    return 1;
}

/// What the hosts of the largest machines of the catalog with this part have for each of its
/// accelerators, at least; nothing when none says. An instance with one card is cut from them.
std::optional<Bytes> least_host_memory(const Catalog& catalog, const Accelerator& accelerator) {
    std::optional<Bytes> least;
    int largest = 0;
    for (const Machine& machine : catalog.machines) {
        if (machine.accelerator != accelerator.id || !machine.host_memory ||
            machine.accelerators < largest) {
            continue;
        }
        const Bytes each = *machine.host_memory / std::max(1, machine.accelerators);
        least = least && machine.accelerators == largest ? std::min(*least, each) : each;
        largest = machine.accelerators;
    }
    return least;
}

}  // namespace

bool stands_alone(const Accelerator& accelerator) {
    return is_module(accelerator) && accelerator.kind == "gpu" &&
           accelerator.scale_up.max_domain < 2;
}

Cluster make_cluster(const Catalog& catalog, const Accelerator& accelerator, int count,
                     int per_node, const Machine* machine) {
    Cluster cluster;
    cluster.accelerator = &accelerator;
    cluster.count = std::max(1, count);
    cluster.machine = machine;
    const int domain = accelerator.scale_up.max_domain;
    const int node = machine != nullptr ? machine->accelerators : usual_node(accelerator);
    // A rack of trays is one scale-up domain: a tray of 4 is the host's unit, not the network's.
    const bool rack_scale = machine == nullptr && domain >= rack_scale_from;
    if (rack_scale && (per_node <= 0 || cluster.count > per_node)) {
        cluster.per_node = largest_divisor(cluster.count, domain);
    } else {
        cluster.per_node = std::min(cluster.count, per_node > 0 ? per_node : std::max(1, node));
    }
    const bool bridge = domain < 4 || !is_module(accelerator);
    const bool linked = domain > 1 && cluster.per_node <= domain &&
                        (!bridge || contains(accelerator.form_factor, "bridged"));
    cluster.intra =
        linked ? scale_up_link(catalog, accelerator.scale_up) : pcie_link(catalog, accelerator);
    cluster.intra.assumed = !linked && domain > 1 && bridge && cluster.per_node > 1;
    cluster.inter = assumed_fabric(catalog, accelerator, cluster.per_node);
    cluster.drive = catalog.storage_kind(usual_drive);
    if (const auto each = least_host_memory(catalog, accelerator)) {
        cluster.host_memory_per_node = *each * cluster.per_node;
    }
    if (machine != nullptr) {
        if (const Link* link = catalog.link(machine->scale_up)) {
            cluster.intra = *link;
        }
        const Link* out = machine->scale_out ? catalog.link(*machine->scale_out) : nullptr;
        if (out != nullptr) {
            cluster.inter = *out;
            if (machine->scale_out_ports) {
                cluster.inter.rate = out->rate * static_cast<double>(*machine->scale_out_ports) /
                                     static_cast<double>(std::max(1, machine->accelerators));
            }
        }
        cluster.host_memory_per_node = machine->host_memory;
        cluster.node_power = machine->power;
    }
    return cluster;
}

void apply_fabric(Cluster& cluster, const Catalog& catalog, std::string_view fabric) {
    apply_fabric(cluster, catalog, read_fabric(fabric), cluster.per_node);
}

void apply_fabric(Cluster& cluster, const Catalog& catalog, const FabricWords& words,
                  int per_node) {
    const Accelerator& accelerator = *cluster.accelerator;
    const bool peers = words.inside == FabricWords::Inside::pcie_peers;
    // Modules sit on boards that join them: PCIe beside them is the way to the host.
    const std::string_view form = accelerator.form_factor;
    const bool module = form.starts_with("SXM") || form.starts_with("OAM");
    if (peers || (words.inside == FabricWords::Inside::pcie && !module)) {
        cluster.intra = pcie_link(catalog, accelerator);
        cluster.intra.id += peers ? "-p2p" : "";
        cluster.intra.assumed = false;
    } else if (words.inside == FabricWords::Inside::scale_up && accelerator.scale_up.rate) {
        cluster.intra = scale_up_link(catalog, accelerator.scale_up);
    }
    if (words.gb_per_s > 0) {
        const double share = words.per_accelerator ? 1 : std::max(1, per_node);
        cluster.inter = Link{.id = words.network,
                             .kind = words.network_kind,
                             .rate = words.gb_per_s / share * gigabyte_per_second,
                             .latency = {},
                             .sources = {},
                             .assumed = false};
    }
}

}  // namespace ridgeline
