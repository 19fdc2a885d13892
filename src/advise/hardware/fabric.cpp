#include "advise/hardware/fabric.h"

#include "advise/hardware/cluster.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

// Networks between nodes by their name, where a user states one.

namespace ridgeline {
namespace {

constexpr int most_ports = 64;

/// "eth-100:2" as its link and the ports of a node; 0 ports: not said. "nvlink+ib-ndr": what joins
/// the cards of a machine stands first, or alone.
struct NetworkWords {
    std::string link;
    double ports = 0;
    bool readable = true;
    std::string_view inside{};
};

constexpr std::array<std::string_view, 2> inside_words = {"nvlink", "pcie"};

NetworkWords words_of(std::string_view text) {
    const std::string first = lower(text.substr(0, text.find('+')));
    const auto inside = std::ranges::find(inside_words, first);
    if (inside != inside_words.end()) {
        text.remove_prefix(std::min(text.size(), first.size() + 1));
    }
    const auto colon = text.find(':');
    NetworkWords words{lower(text.substr(0, colon))};
    words.inside = inside != inside_words.end() ? *inside : std::string_view();
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

/// Joins the cards of a node by a bridge, which reaches no more of them than its domain, or by PCIe
/// alone. A named machine has the links that it is sold with.
void join_cards(Cluster& cluster, const Catalog& catalog, std::string_view inside) {
    const Accelerator& part = *cluster.accelerator;
    const bool bridge =
        inside == "nvlink" && part.has_nvlink() && cluster.per_node <= part.scale_up.max_domain;
    if (cluster.machine == nullptr && cluster.per_node > 1 && (bridge || inside == "pcie")) {
        apply_fabric(cluster, catalog, bridge ? "NVLink" : "PCIe");
    }
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
    const bool inside_alone = !words.inside.empty() && words.link.empty();
    if (inside_alone || words.link == infiniband_of_slot ||
        network_link(catalog, words.link) != nullptr) {
        return {};
    }
    std::vector<std::string> ids{std::string(infiniband_of_slot)};
    ids.insert(ids.end(), inside_words.begin(), inside_words.end());
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

std::string assumed_links(const Cluster& cluster) {
    const Accelerator& part = *cluster.accelerator;
    const ScaleUp& own = part.scale_up;
    if (!cluster.intra.assumed || !part.has_nvlink()) {
        return "";
    }
    if (cluster.per_node > own.max_domain) {
        return fmt::format(
            "an NVLink bridge joins {} of {}: of {} the others are reached over PCIe, which sets "
            "the pace",
            own.max_domain, part.name, cluster.per_node);
    }
    return fmt::format(
        "{} cards were taken as joined by PCIe alone: their NVLink bridge is bought apart "
        "(--network nvlink{})",
        cluster.per_node,
        own.rate ? fmt::format(", {:g} GB/s one way", *own.rate / gigabyte_per_second)
                 : std::string());
}

Cluster linked_as_required(Cluster cluster, const Catalog& catalog,
                           const std::vector<std::string>& require) {
    if (std::ranges::find(require, "nvlink") != require.end()) {
        join_cards(cluster, catalog, "nvlink");
    }
    return cluster;
}

Cluster joined_as_stated(Cluster cluster, const Catalog& catalog,
                         const WorkloadDocument& document) {
    if (!document.network) {
        return cluster;
    }
    const NetworkWords words = words_of(*document.network);
    join_cards(cluster, catalog, words.inside);
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
