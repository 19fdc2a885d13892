#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace ridgeline {

/// A text of names, parted by blanks, each of which stands in the list `known`: one that does not
/// is no program.
template <const auto& known>
class ListedNames {
public:
    // NOLINTNEXTLINE(google-explicit-constructor): a literal stands for itself
    consteval ListedNames(const char* text) : text_(text) {
        std::string_view rest = text_;
        while (!rest.empty()) {
            const std::string_view name = rest.substr(0, rest.find(' '));
            if (std::find(known.begin(), known.end(), name) == known.end()) {
                stands_in_no_list();
            }
            rest.remove_prefix(std::min(rest.size(), name.size() + 1));
        }
    }
    [[nodiscard]] constexpr std::string_view text() const { return text_; }

private:
    static void stands_in_no_list();  // no constant: what calls it does not compile
    std::string_view text_;
};

/// What a question may ask for beside its intent: names in `Reading::attributes`, and so in JSON.
/// Features of a part ("nvlink") and types of numbers ("fp8") stand there too.
// clang-format off
inline constexpr auto figure_names = std::to_array<std::string_view>({
    "active", "all_day", "api", "architecture", "bandwidth", "bus", "cache", "cache_per_token",
    "capability", "carbon", "clock", "computer", "context", "cores", "dimensions", "domain", "energy", "epochs_of_run",
    "experts", "failure", "ffn", "flash_attention", "flash_attention_3", "flops", "form", "fp64", "frames", "good_price",
    "gpu_days", "gpu_hours", "head_dim", "heads", "heat", "hidden", "host_ram", "hourly", "how_many", "images", "instance", "is_faster", "is_slower", "kv_cache",
    "kv_heads", "latency", "layers", "levers", "list_price", "macs", "matches", "memory", "memory_type",
    "mfu", "mig", "minimum", "mixed_precision", "needs_gpu", "noise", "nvlink", "one_at_a_time", "one_card",
    "one_person", "optimal_tokens", "overkill", "own_or_rent", "parameters", "part_activations",
    "part_adapters", "part_checkpoint", "part_embedding", "part_gradients", "part_logits",
    "part_optimizer", "part_parameters", "part_weights", "payback_hours", "pcie", "per_gpu", "per_layer",
    "per_day", "per_million", "per_million_written", "per_month", "per_sample", "per_watt", "per_week", "power", "prefill", "price_kinds",
    "process", "rent",
    "requests_per_hour", "requests_per_minute", "reserved", "ridge", "saturating", "smallest_part", "step_time", "sum_enough", "tensor_cores", "tokens_of_run", "total", "tpot",
    "training_flops", "ttft", "used", "users_for_money", "value", "vocabulary", "weight",
    "which_type", "whole_request", "without_parts", "words_per_minute", "words_per_second", "year"});
// clang-format on
using FigureName = ListedNames<figure_names>;

}  // namespace ridgeline
