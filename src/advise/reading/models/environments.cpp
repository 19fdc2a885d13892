#include "advise/reading/models/steps.h"
#include "advise/reading/words/sentence.h"

// Reinforcement learning without a language model ("ppo on atari", "dqn"; "isaac gym").

namespace ridgeline::reading {
namespace {

/// Worlds that networks learn in.
// clang-format off
constexpr std::string_view worlds[] = {
    "atari", "mujoco", "cartpole", "gymnasium", "openai gym", "procgen", "minigrid", "halfcheetah",
    "half cheetah", "dm control", "deepmind control", "vizdoom", "minecraft", "starcraft",
    "breakout", "pong", "lunarlander", "lunar lander", "pybullet", "unity ml agents", "ml agents",
    "isaac gym", "isaac lab", "isaacgym", "isaaclab", "isaac sim", "brax", "mjx",
    "mujoco playground"
};
// clang-format on
/// Methods that train no language model, and libraries of them.
// clang-format off
constexpr std::string_view methods[] = {
    "dqn", "ddqn", "rainbow dqn", "ddpg", "td3", "soft actor critic", "a2c", "a3c", "impala",
    "dreamer", "dreamerv3", "muzero", "alphazero", "stable baselines", "stable baselines3", "sb3",
    "cleanrl", "rllib", "q learning"
};
// clang-format on

bool is_of_language(const Sentence& sentence) {
    return !sentence.reading.model.empty() ||
           sentence.any_word("rlhf llm llms grpo language verl openrlhf trl reward vla");
}

}  // namespace

void recognise_environments(Sentence& sentence) {
    if (is_of_language(sentence)) {
        return;
    }
    const auto take = [&](std::size_t at, std::string_view words) {
        const std::size_t length = sentence.open(at) ? sentence.tokens_of(words, at) : 0;
        if (length > 0) {
            sentence.claim(at, length);
        }
        return length > 0;
    };
    for (std::size_t i = 0; i < sentence.tokens.size(); ++i) {
        // The longest name first: "isaac gym", "mujoco playground".
        std::string_view found;
        for (const std::string_view world : worlds) {
            found = world.size() > found.size() && sentence.tokens_of(world, i) > 0 ? world : found;
        }
        if (!found.empty() && take(i, found)) {
            sentence.reading.environment = found;
            continue;
        }
        for (const std::string_view method : methods) {
            if (take(i, method) && sentence.reading.environment.empty()) {
                sentence.reading.environment = std::string(method);
            }
        }
    }
    if (!sentence.reading.environment.empty()) {
        sentence.marks.push_back({Means::train, "", 0, 1});
    }
}

}  // namespace ridgeline::reading
