// What an engine takes at once where nobody says it.
#include "estimate/serving/serving_pass.h"
#include "estimate/time/device.h"

#include <algorithm>
#include <limits>

namespace ridgeline {
namespace {

/// As vLLM tells large cards since its second engine (engine/arg_utils.py): 70 GiB, A100 aside.
constexpr double large_card_gib = 70;
constexpr double tokens_of_small_cards = 2048;
constexpr double sequences_of_small_cards = 256;
constexpr double sequences_of_large_cards = 1024;

bool is_small_card(const Accelerator& part) {
    return part.capacity() < large_card_gib * gibibyte || part.id.starts_with("a100");
}

}  // namespace

double most_prompt_tokens(const EstimateInput& input) {
    const double most = most_prompt_tokens(input.workload, input.software);
    const bool told = input.workload.serving && input.workload.serving->iteration_tokens;
    const bool small = input.software.engine.scheduler.sized_by_card && is_small_card(*input.device.accelerator);
    return small && !told ? std::min(most, tokens_of_small_cards) : most;
}

double most_sequences(const EstimateInput& input) {
    if (!input.software.engine.scheduler.sized_by_card) {
        return std::numeric_limits<double>::infinity();
    }
    return is_small_card(*input.device.accelerator) ? sequences_of_small_cards : sequences_of_large_cards;
}

}  // namespace ridgeline
