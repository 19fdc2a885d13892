// Rounds of tuning by preferences or rewards: what nobody stated of them.
#include "base/text.h"
#include "estimate/families/transformer/parameters.h"
#include "estimate/resolve/resolve_parts.h"

#include <algorithm>
#include <string>

namespace ridgeline {
namespace {

/// Parameters of a model that scores, over those of the policy: "same size", "none", "rule", or a
/// name or size with the number in it ("opt-350m").
Result<double> size_of(const std::string& text, bool usual, const char* field, double policy) {
    if (text.empty()) {
        return usual ? 1.0 : 0.0;
    }
    if (text == "same size" || text == "none" || text == "rule") {
        return text == "same size" ? 1.0 : 0.0;
    }
    constexpr double least = 1e6;  // smaller numbers are versions
    for (const std::string& piece : split(text, '-')) {
        const auto number = number_with_suffix(piece);
        if (number && *number >= least && *number <= 1e14) {
            return *number / policy;
        }
    }
    return input_error(field, "found \"" + text + "\", which names no size",
                       "Expected \"same size\", \"none\" or a size such as 1B.");
}

void fill_answers(const ResolveInputs& in, DefaultFiller& fill, PreferenceTuning& tuning) {
    const auto stated = [](double value) {
        return value > 0 ? std::optional<double>(value) : std::nullopt;
    };
    const bool single = tuning.algorithm == PreferenceAlgorithm::ppo;
    tuning.group = fill.own("rl.rollouts_per_prompt", stated(tuning.group), single ? 1.0 : 8.0);
    const double answers = tuning.round_answers();
    tuning.prompts =
        fill.own("rl.prompts_per_step", stated(tuning.prompts), answers / tuning.group);
    tuning.answers = answers;
    const double longest =
        std::max(tuning.longest_tokens, 1.0 * in.document.sequence_length.value_or(0));
    // A prompt is short beside what reasoning writes.
    const double mean = tuning.mean_tokens;
    const double usual = mean > 0      ? std::min(512.0, mean / 4)
                         : longest > 0 ? std::min(512.0, longest / 4)
                                       : 512.0;
    tuning.prompt_tokens = fill.own("rl.prompt_tokens", stated(tuning.prompt_tokens), usual);
    const double prompt = tuning.prompt_tokens;
    tuning.answer_tokens = fill.own("rl.answer_tokens", stated(tuning.answer_tokens),
                                    mean > prompt      ? mean - prompt
                                    : longest > prompt ? (longest - prompt) / 2
                                                       : 1024.0);
    tuning.longest_tokens =
        fill.own("rl.max_sequence_length", stated(longest), prompt + 2 * tuning.answer_tokens);
}

}  // namespace

Result<void> resolve_preference(const ResolveInputs& in, DefaultFiller& fill, Workload& workload) {
    if (!in.document.preference) {
        return {};
    }
    PreferenceTuning tuning = *in.document.preference;
    if (workload.task != Task::train) {
        return input_error("rl", "is stated for a task that trains nothing",
                           "Remove it or set task to \"train\".");
    }
    if (in.architecture.stacks.empty()) {
        return input_error("rl", "is stated for a network that writes no answers",
                           "Tuning by preferences is estimated of language models.");
    }
    if (tuning.engine == true && !in.software.rollout) {
        return input_error("rl.engine",
                           in.software.shown_name() + " writes the answers with the trainer itself",
                           "Remove it, or name a stack with an engine such as verl or trl.");
    }
    if (tuning.engine == false && tuning.placement == RolloutPlacement::separate) {
        return input_error("rl.placement", "is separate, and no engine writes the answers",
                           "Remove it, or have an engine write them.");
    }
    const double policy =
        std::max(1.0, static_cast<double>(count_parameters(in.architecture).total));
    const bool actor = tuning.algorithm == PreferenceAlgorithm::ppo;
    const auto critic = size_of(tuning.critic, actor, "rl.critic", policy);
    const auto reward = size_of(tuning.reward_model, actor, "rl.reward_model", policy);
    if (!critic || !reward) {
        return tl::unexpected(!critic ? critic.error() : reward.error());
    }
    tuning.critic_size = *critic;
    tuning.reward_size = *reward;
    if (tuning.generates()) {
        fill_answers(in, fill, tuning);
    }
    workload.preference = tuning;
    return {};
}

}  // namespace ridgeline
