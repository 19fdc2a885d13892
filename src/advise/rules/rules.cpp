#include "advise/rules/rules.h"

#include "advise/rules/rule.h"
#include "base/order.h"

#include <algorithm>

namespace ridgeline {
namespace {

constexpr Rule table[] = {
    {"beyond_sense", rule::beyond_sense},
    {"does_not_fit", rule::does_not_fit},
    {"tight_headroom", rule::tight_headroom},
    {"requests_wait", rule::requests_wait},
    {"queue_grows", rule::queue_grows},
    {"memory_may_exceed", rule::memory_may_exceed},
    {"batch_too_large", rule::batch_too_large},
    {"recompute_activations", rule::recompute_activations},
    {"mixed_precision", rule::mixed_precision},
    {"shard_states", rule::shard_states},
    {"eight_bit_optimizer", rule::eight_bit_optimizer},
    {"context_beyond_positions", rule::context_beyond_positions},
    {"bf16_units", rule::bf16_units},
    {"fp8_units", rule::fp8_units},
    {"fp4_units", rule::fp4_units},
    {"flash_attention_support", rule::flash_attention_support},
    {"attention_of_older_release", rule::attention_of_older_release},
    {"rocm_stack", rule::rocm_stack},
    {"old_generation", rule::old_generation},
    {"half_precision", rule::half_precision},
    {"tensor_parallel_without_nvlink", rule::tensor_parallel_without_nvlink},
    {"tensor_parallel_across_nodes", rule::tensor_parallel_across_nodes},
    {"slow_peer_link", rule::slow_peer_link},
    {"communication_bound", rule::communication_bound},
    {"assumed_links", rule::assumed_links},
    {"assumed_fabric", rule::assumed_fabric},
    {"no_ecc_long_run", rule::no_ecc_long_run},
    {"consumer_card_in_service", rule::consumer_card_in_service},
    {"long_run_failures", rule::long_run_failures},
    {"host_memory_too_small", rule::host_memory_too_small},
    {"offload_over_pcie", rule::offload_over_pcie},
    {"offload_to_drive", rule::offload_to_drive},
    {"input_bound", rule::input_bound},
    {"storage_rate_unknown", rule::storage_rate_unknown},
    {"storage_too_slow", rule::storage_too_slow},
    {"checkpoint_write", rule::checkpoint_write},
    {"node_power", rule::node_power},
    {"liquid_cooling", rule::liquid_cooling},
    {"no_offer", rule::no_offer},
    {"stale_prices", rule::stale_prices},
    {"idle_accelerators", rule::idle_accelerators},
    {"slower_network", rule::slower_network},
    {"split_instances", rule::split_instances},
    {"compute_bound", rule::compute_bound},
    {"memory_bound", rule::memory_bound},
    {"launch_bound", rule::launch_bound},
    {"mig_impossible", rule::mig_impossible},
    {"mig_would_serve", rule::mig_would_serve},
    {"sparse_figures", rule::sparse_figures},
    {"half_accumulate_figures", rule::half_accumulate_figures},
    {"marketed_memory", rule::marketed_memory},
    {"interval_without_evidence", rule::interval_without_evidence},
    {"assumed_efficiency", rule::assumed_efficiency},
    {"assumed_family", rule::assumed_family},
    {"unknown_operators", rule::unknown_operators},
    {"typical_architecture", rule::typical_architecture},
};

}  // namespace

std::span<const Rule> rules() { return table; }

const Rule* rule_named(std::string_view name) {
    const auto at = std::find_if(std::begin(table), std::end(table),
                                 [name](const Rule& rule) { return rule.name == name; });
    return at == std::end(table) ? nullptr : at;
}

std::vector<Finding> apply_rules(const RuleContext& context) {
    std::vector<Finding> findings;
    for (const Rule& rule : table) {
        if (auto found = rule.check(context)) {
            findings.push_back(std::move(*found));
        }
    }
    stable_order(findings.begin(), findings.end(),
                 [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
    return findings;
}

Finding rule::finding(std::string_view name, Severity severity, std::string message,
                      Numbers numbers, std::string source) {
    return {std::string(name), severity, std::move(message), std::move(numbers), std::move(source)};
}

}  // namespace ridgeline
