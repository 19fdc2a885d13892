// What an engine takes at once where nobody says it.
#include "base/lists.h"
#include "estimate/serving/serving_pass.h"
#include "estimate/time/device.h"

#include <algorithm>
#include <limits>

namespace ridgeline {
namespace {

/// Of the card that runs it; null: the engine takes as much on every card.
const CardSizes* sizes_of(const EstimateInput& input) {
    const Accelerator& part = *input.device.accelerator;
    const auto& sizes = input.software.engine.card_sizes;
    const auto found = std::find_if(sizes.begin(), sizes.end(), [&part](const CardSizes& each) {
        return each.below_gib <= 0 || part.capacity() < each.below_gib * gibibyte ||
               is_among(part.chip, each.chips);
    });
    return found == sizes.end() ? nullptr : &*found;
}

/// vLLM #17546: one front end passes on 76 answers of ShareGPT a second, of 200 tokens each, which
/// leaves 58 us a token beside two A100; hosts of Hopper are a little faster.
constexpr double writing_time = 50e-6;

}  // namespace

FrontEnd front_end(const EstimateInput& input) {
    const double read = input.software.engine.front_end.base();
    return {.request = read, .token = read > 0 ? writing_time : 0};
}

double most_prompt_tokens(const EstimateInput& input) {
    const CardSizes* sizes = sizes_of(input);
    const double own = sizes != nullptr ? sizes->iteration_tokens : 0;
    return input.workload.serving ? input.workload.serving->iteration_tokens.value_or(own) : own;
}

double most_sequences(const EstimateInput& input) {
    const CardSizes* sizes = sizes_of(input);
    return sizes != nullptr && sizes->sequences > 0 ? sizes->sequences
                                                    : std::numeric_limits<double>::infinity();
}

}  // namespace ridgeline
