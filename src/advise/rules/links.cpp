#include "advise/hardware/fabric.h"
#include "advise/rules/rule.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline::rule {
namespace {

double rate_of(const Link& link) { return link.rate / gigabyte_per_second; }

bool is_pcie(const Link& link) { return link.id.rfind("pcie", 0) == 0; }

double share(const RuleContext& c, Bound bound) {
    Seconds part;
    for (const TimeComponent& component : c.estimate.time.components) {
        part += component.bound == bound ? component.time : Seconds{};
    }
    const Seconds step = c.estimate.time.step;
    return step > Seconds{} ? std::min(1.0, part / step) : 0;
}

}  // namespace

Found tensor_parallel_without_nvlink(const RuleContext& c) {
    const int tensor = c.workload.plan.tensor;
    if (tensor < 2 || !is_pcie(c.cluster.intra)) {
        return {};
    }
    return finding(
        "tensor_parallel_without_nvlink", Severity::warning,
        fmt::format("tensor parallel {} over {} at {:.0f} GB/s one way: every layer waits "
                    "for two all-reduces (NVLink 4 gives 450 GB/s)",
                    tensor, c.cluster.intra.kind, rate_of(c.cluster.intra)),
        {{"tensor", static_cast<double>(tensor)}, {"link_gb_per_s", rate_of(c.cluster.intra)}},
        "catalog: links");
}

Found tensor_parallel_across_nodes(const RuleContext& c) {
    const int tensor = c.workload.plan.tensor;
    if (tensor <= c.cluster.per_node) {
        return {};
    }
    return finding(
        "tensor_parallel_across_nodes", Severity::warning,
        fmt::format("tensor parallel {} leaves a node of {}: its all-reduces run at "
                    "{:.1f} GB/s instead of {:.0f}",
                    tensor, c.cluster.per_node, rate_of(c.cluster.inter), rate_of(c.cluster.intra)),
        {{"tensor", static_cast<double>(tensor)},
         {"per_node", static_cast<double>(c.cluster.per_node)},
         {"inter_gb_per_s", rate_of(c.cluster.inter)}},
        "catalog: links");
}

Found slow_peer_link(const RuleContext& c) {
    const ScaleUp& own = c.cluster.accelerator->scale_up;
    const int tensor = c.workload.plan.tensor;
    if (!own.pair_rate || !own.rate || tensor < 2 || tensor >= own.max_domain) {
        return {};
    }
    const double pair = *own.pair_rate / gigabyte_per_second;
    return finding(
        "slow_peer_link", Severity::warning,
        fmt::format("tensor parallel {} sends {:.0f} of the {:.0f} GB/s that a card has to its "
                    "peers: it reaches each over one link of {:.0f} GB/s, and {} of {} links idle",
                    tensor, pair * (tensor - 1), *own.rate / gigabyte_per_second, pair,
                    own.max_domain - tensor, own.max_domain - 1),
        {{"pair_gb_per_s", pair}, {"tensor", static_cast<double>(tensor)}}, "catalog: scale_up");
}

Found assumed_links(const RuleContext& c) {
    const std::string words = ridgeline::assumed_links(c.cluster);
    if (words.empty() || share(c, Bound::communication) <= 0) {
        return {};
    }
    return finding("assumed_links", Severity::info, words,
                   {{"link_gb_per_s", rate_of(c.cluster.intra)}}, "catalog: scale_up");
}

Found assumed_fabric(const RuleContext& c) {
    if (c.cluster.nodes() < 2 || !c.cluster.inter.assumed) {
        return {};
    }
    return finding("assumed_fabric", Severity::info,
                   fmt::format("{} nodes were taken as joined by {} at {:.1f} GB/s an accelerator",
                               c.cluster.nodes(), c.cluster.inter.kind, rate_of(c.cluster.inter)),
                   {{"nodes", static_cast<double>(c.cluster.nodes())},
                    {"inter_gb_per_s", rate_of(c.cluster.inter)}},
                   "assumed from the part's PCIe generation");
}

Found communication_bound(const RuleContext& c) {
    const double part = share(c, Bound::communication);
    if (c.cluster.count < 2 || part < 0.25) {
        return {};
    }
    return finding(
        "communication_bound", Severity::warning,
        fmt::format("{:.0f} % of a step waits for the links ({:.0f} GB/s inside a node): a "
                    "larger batch a rank or fewer, larger accelerators waste less",
                    100 * part, rate_of(c.cluster.intra)),
        {{"waiting_percent", 100 * part}, {"intra_gb_per_s", rate_of(c.cluster.intra)}},
        "time model");
}

}  // namespace ridgeline::rule
