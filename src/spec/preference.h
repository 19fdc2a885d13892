#pragma once

#include <algorithm>
#include <optional>
#include <string>

namespace ridgeline {

/// By what a model is tuned after its supervised training.
enum class PreferenceAlgorithm {
    dpo,    ///< pairs of answers against a reference (arXiv 2305.18290)
    orpo,   ///< pairs, no reference (arXiv 2403.07691)
    simpo,  ///< pairs, no reference (arXiv 2405.14734)
    kto,    ///< single answers against a reference (arXiv 2402.01306)
    ppo,    ///< rollouts, with critic, reward and reference (arXiv 1707.06347)
    grpo,   ///< groups of rollouts against a reference (arXiv 2402.03300)
    rloo,   ///< groups of rollouts, leave-one-out baseline (arXiv 2402.14740)
    dapo,   ///< as grpo without a reference (arXiv 2503.14476)
};

/// Where answers are generated.
enum class RolloutPlacement {
    colocated,  ///< engine and trainer take turns on the same accelerators
    separate,   ///< on accelerators of their own, beside the update
};

struct PreferenceHabits;

/// What a round of tuning by preferences or rewards is made of. A figure of 0 was not stated.
struct PreferenceTuning {
    PreferenceAlgorithm algorithm = PreferenceAlgorithm::dpo;
    double prompts = 0;               ///< of a round
    double group = 0;                 ///< answers to each prompt
    double answers = 0;               ///< of a round: prompts x group
    double prompt_tokens = 0;         ///< mean
    double answer_tokens = 0;         ///< mean
    double mean_tokens = 0;           ///< of prompt and answer together
    double longest_tokens = 0;        ///< the most that prompt and answer may have
    std::optional<bool> reference{};  ///< a frozen copy of the policy scores every answer
    std::string critic{};             ///< "none", "same size", or a name or size ("opt-350m", "1B")
    std::string reward_model{};       ///< the same; "rule": a program judges
    std::optional<RolloutPlacement> placement{};
    double trainer_accelerators = 0;          ///< separate: those that update
    double rollout_accelerators = 0;          ///< separate: those that generate
    double rollout_tensor = 0;                ///< tensor-parallel ranks of one engine
    std::optional<bool> reference_on_host{};  ///< between its passes; empty: as the stack does
    std::optional<bool> packed{};             ///< sequences pass without padding; empty: the same
    std::optional<bool> engine{};  ///< an engine writes the answers, else the trainer itself does
    std::optional<bool> engine_sleeps{};  ///< it gives its memory back meanwhile; empty: the same
    bool rollout_fp8 = false;             ///< the engine serves weights in fp8, else in 16 bits
    double staleness = -1;  ///< rounds that the generating policy may be behind; < 0: not stated
    double epochs = 0;      ///< passes of the update over a round's answers
    std::string phase{};    ///< the one part that is wanted ("weight_sync"); empty: all
    // Filled by `resolve`:
    double critic_size = 0;  ///< parameters that train beside the policy, over its own
    double reward_size = 0;  ///< parameters of the reward model, over those of the policy

    /// Whether the reference waits on the host between its passes, and whether sequences pass
    /// without padding: as long as they are, not as the longest. Whether the engine sleeps.
    [[nodiscard]] bool reference_waits(const PreferenceHabits& habits) const;
    [[nodiscard]] bool sleeps(const PreferenceHabits& habits) const;
    [[nodiscard]] bool packs(const PreferenceHabits& habits) const;
    /// Answers of a round, as stated or as usual.
    [[nodiscard]] double round_answers() const {
        const bool single = algorithm == PreferenceAlgorithm::ppo;
        return answers > 0 ? answers
                           : (prompts > 0 ? prompts : 512) * (group > 0 ? group
                                                              : single  ? 1
                                                                        : 8);
    }
    /// Samples are pairs: a chosen and a rejected answer pass as two sequences.
    [[nodiscard]] bool pairs() const {
        return algorithm == PreferenceAlgorithm::dpo || algorithm == PreferenceAlgorithm::orpo ||
               algorithm == PreferenceAlgorithm::simpo;
    }
    /// The policy writes the answers that it learns from.
    [[nodiscard]] bool generates() const { return algorithm >= PreferenceAlgorithm::ppo; }
    [[nodiscard]] bool refers() const {
        const bool usual = algorithm != PreferenceAlgorithm::orpo &&
                           algorithm != PreferenceAlgorithm::simpo &&
                           algorithm != PreferenceAlgorithm::dapo;
        return reference.value_or(usual);
    }
    friend bool operator==(const PreferenceTuning&, const PreferenceTuning&) = default;
};

/// How a framework runs such rounds; data of profiles/software.
struct PreferenceHabits {
    RolloutPlacement placement = RolloutPlacement::colocated;
    double memory_fraction = 0;    ///< of the card that a colocated engine takes; 0: its own
    bool engine_sleeps = true;     ///< the engine gives weights and cache back while others compute
    bool offloads_states = false;  ///< weights and optimizer states wait on the host meanwhile
    bool reference_waits = false;  ///< the reference waits on the host between its passes
    bool packs =
        false;  ///< sequences pass without padding: as long as they are, not as the longest
    friend bool operator==(const PreferenceHabits&, const PreferenceHabits&) = default;
};

inline bool PreferenceTuning::reference_waits(const PreferenceHabits& habits) const {
    return reference_on_host.value_or(habits.reference_waits);
}
inline bool PreferenceTuning::sleeps(const PreferenceHabits& habits) const {
    return engine_sleeps.value_or(habits.engine_sleeps);
}
inline bool PreferenceTuning::packs(const PreferenceHabits& habits) const {
    return packed.value_or(habits.packs);
}

/// Accelerators of `count` that generate while the others update; 0: all take turns.
[[nodiscard]] inline int rollout_cards(const PreferenceTuning& tuning,
                                       const PreferenceHabits& habits, int count) {
    const RolloutPlacement placement = tuning.placement.value_or(
        tuning.rollout_accelerators > 0 ? RolloutPlacement::separate : habits.placement);
    if (!tuning.generates() || placement == RolloutPlacement::colocated || count < 2) {
        return 0;
    }
    const int half = count / 2;  // of the whole cards
    const double rest =
        tuning.trainer_accelerators > 0 ? count - tuning.trainer_accelerators : half;
    const double stated = tuning.rollout_accelerators > 0 ? tuning.rollout_accelerators : rest;
    return static_cast<int>(std::clamp(stated, 1.0, count - 1.0));
}

}  // namespace ridgeline
