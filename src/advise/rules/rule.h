#pragma once

#include "advise/finding.h"
#include "advise/rules/rules.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

// Every rule of the table in rules.cpp. Each is a pure function of its context and says nothing
// when it does not apply or when a figure it needs is unknown.

namespace ridgeline::rule {

using Found = std::optional<Finding>;
using Numbers = std::vector<std::pair<std::string, double>>;

Finding finding(std::string_view name, Severity severity, std::string message, Numbers numbers,
                std::string source);

// fit.cpp
Found does_not_fit(const RuleContext& c);
Found tight_headroom(const RuleContext& c);
Found requests_wait(const RuleContext& c);
Found queue_grows(const RuleContext& c);
Found memory_may_exceed(const RuleContext& c);
Found batch_too_large(const RuleContext& c);
// remedy.cpp
Found recompute_activations(const RuleContext& c);
Found mixed_precision(const RuleContext& c);
Found shard_states(const RuleContext& c);
Found eight_bit_optimizer(const RuleContext& c);
// reliability.cpp
Found no_ecc_long_run(const RuleContext& c);
Found consumer_card_in_service(const RuleContext& c);
Found long_run_failures(const RuleContext& c);
Found beyond_sense(const RuleContext& c);
// links.cpp
Found tensor_parallel_without_nvlink(const RuleContext& c);
Found tensor_parallel_across_nodes(const RuleContext& c);
Found slow_peer_link(const RuleContext& c);
Found assumed_links(const RuleContext& c);
Found assumed_fabric(const RuleContext& c);
Found communication_bound(const RuleContext& c);
// figures.cpp
Found sparse_figures(const RuleContext& c);
Found half_accumulate_figures(const RuleContext& c);
Found marketed_memory(const RuleContext& c);
// partition.cpp
Found mig_would_serve(const RuleContext& c);
Found mig_impossible(const RuleContext& c);
// power.cpp
Found node_power(const RuleContext& c);
Found liquid_cooling(const RuleContext& c);
// host.cpp
Found host_memory_too_small(const RuleContext& c);
Found offload_over_pcie(const RuleContext& c);
Found offload_to_drive(const RuleContext& c);
Found input_bound(const RuleContext& c);
Found storage_rate_unknown(const RuleContext& c);
Found storage_too_slow(const RuleContext& c);
Found checkpoint_write(const RuleContext& c);
// roofline.cpp
Found compute_bound(const RuleContext& c);
Found memory_bound(const RuleContext& c);
Found launch_bound(const RuleContext& c);
// software.cpp
Found rocm_stack(const RuleContext& c);
Found fp8_units(const RuleContext& c);
Found fp4_units(const RuleContext& c);
Found bf16_units(const RuleContext& c);
Found flash_attention_support(const RuleContext& c);
Found attention_of_older_release(const RuleContext& c);
Found old_generation(const RuleContext& c);
/// Networks in fp16 on a chip whose convolutions give NaN in it.
Found half_precision(const RuleContext& c);
// prices.cpp
Found stale_prices(const RuleContext& c);
Found no_offer(const RuleContext& c);
Found idle_accelerators(const RuleContext& c);
Found slower_network(const RuleContext& c);
Found split_instances(const RuleContext& c);
// evidence.cpp
Found interval_without_evidence(const RuleContext& c);
Found assumed_efficiency(const RuleContext& c);
// model.cpp
Found context_beyond_positions(const RuleContext& c);
Found assumed_family(const RuleContext& c);
Found unknown_operators(const RuleContext& c);
Found typical_architecture(const RuleContext& c);

}  // namespace ridgeline::rule
