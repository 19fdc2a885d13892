#include "advise/hardware/fabric.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

// Networks between nodes by their name, where a user states one.

namespace ridgeline {
namespace {

constexpr int most_ports = 64;

/// "eth-100:2" as its link and the ports of a node; 0 ports: not said.
struct NetworkWords {
    std::string link;
    double ports = 0;
    bool readable = true;
};

NetworkWords words_of(std::string_view text) {
    const auto colon = text.find(':');
    NetworkWords words{lower(text.substr(0, colon))};
    if (colon != std::string_view::npos) {
        words.ports = number_with_suffix(text.substr(colon + 1)).value_or(0);
        words.readable =
            words.ports >= 1 && words.ports <= most_ports && words.ports == std::floor(words.ports);
    }
    return words;
}

/// Links of which nodes have ports; the others join accelerators inside a machine.
bool joins_nodes(const Link& link) {
    return link.per == "port" || link.per == "link" ? !link.id.starts_with("nvlink")
                                                    : link.per.starts_with("accelerator of a node");
}

const Link* network_link(const Catalog& catalog, std::string_view id) {
    const Link* link = catalog.link(id);
    return link != nullptr && joins_nodes(*link) ? link : nullptr;
}

}  // namespace

std::size_t infiniband_generation(const Accelerator& accelerator) {
    return static_cast<std::size_t>(std::clamp(accelerator.pcie_generation, 3, 6) - 3);
}

Result<void> check_network(const Catalog& catalog, std::string_view text) {
    const NetworkWords words = words_of(text);
    if (!words.readable) {
        return usage_error(
            "network",
            fmt::format("found \"{}\", expected 1 to {} ports of a node", text, most_ports),
            "Example: --network ib-ndr:8.");
    }
    if (words.link == infiniband_of_slot || network_link(catalog, words.link) != nullptr) {
        return {};
    }
    std::vector<std::string> ids{std::string(infiniband_of_slot)};
    for (const Link& link : catalog.links) {
        if (joins_nodes(link)) {
            ids.push_back(link.id);
        }
    }
    const std::string hint = did_you_mean(words.link, ids);
    return usage_error(
        "network", fmt::format("no network \"{}\" between nodes in the catalog", words.link),
        hint.empty() ? "Expected one of " + fmt::format("{}.", fmt::join(ids, ", ")) : hint);
}

Cluster joined_as_stated(Cluster cluster, const Catalog& catalog,
                         const WorkloadDocument& document) {
    if (!document.network) {
        return cluster;
    }
    const NetworkWords words = words_of(*document.network);
    const bool by_slot = words.link == infiniband_of_slot;
    const Link* link = network_link(
        catalog, by_slot ? infiniband_generations[infiniband_generation(*cluster.accelerator)]
                         : std::string_view(words.link));
    if (link == nullptr || !words.readable) {
        return cluster;
    }
    const double node = std::max(1, cluster.per_node);
    const bool shared = link->id.starts_with("eth-");
    const double ports = words.ports > 0 ? words.ports : shared ? 1 : node;
    cluster.inter = *link;
    cluster.inter.rate = link->rate * (ports / node);
    cluster.inter.assumed = false;
    return cluster;
}

}  // namespace ridgeline
