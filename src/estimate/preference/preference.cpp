#include "estimate/preference/preference.h"

#include "base/lists.h"
#include "estimate/memory/counters.h"
#include "estimate/memory/training_peak.h"
#include "estimate/preference/handover.h"
#include "estimate/preference/packing.h"
#include "estimate/preference/rollout.h"
#include "estimate/time/training.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

namespace ridgeline {
namespace {

/// Bytes that a sleeping engine leaves on the card: its graphs, its context, its communication
/// buffers. 1 to 3 GiB are reported of vLLM's sleep mode; assumed.
constexpr double asleep = 2.0 * 1024 * 1024 * 1024;

/// Time between the phases where engine and trainer share the cards: the engine wakes and falls
/// asleep (vLLM through TRL, huggingface/trl issue 4086: 0.3 and 1.3 to 1.6 s), and the trainer
/// prepares twice, for log-probabilities and for the update (NVIDIA-NeMo/RL pull request 1052: 1.3
/// and 1.1 s).
constexpr double switching = 4.2;  // seconds of a round
constexpr double preparing = 2.4;  // of them where the engine has cards of its own

/// Range of a round. Nine in ten of 28 published rounds of NeMo-RL (GRPO, lengths stated) take 0.7
/// to 1.5 times what the phases add up to, 1.1 in the middle.
constexpr Interval round_band{.low = 0.65, .high = 1.75, .evidence_rows = 0, .kind = ""};

Component part(std::string_view name, double bytes, std::string_view formula,
               std::string_view source = {}) {
    Component component;
    component.name = name;
    component.size = Bytes::of_base(bytes);
    component.formula = formula;
    component.source = source;
    return component;
}

bool colocated(const EstimateInput& input) {
    return input.workload.preference->generates() && rollout_accelerators(input) == 0;
}

/// Engine and what of the trainer stays beside it. A stack without an engine writes a micro-batch
/// of answers with the trainer's own weights.
Instant rollout_instant(const EstimateInput& input, double resident) {
    const RolloutEngine engine = rollout_engine(input, input.cluster.count);
    const OutsideTensors outside = outside_tensors(input);
    const bool own = rollout_software(input) == nullptr;
    const double trainer = !own && input.software.preference.offloads_states ? 0 : resident;
    const double weights = own ? 0 : engine.weights;
    // As much cache as its answers need, within its share and what the trainer leaves even where it
    // needs as much as the range says: the share is set so that a round passes. At least the
    // longest one.
    const double room = outside.capacity / std::max(1.0, process_band(input).high);
    const double share = std::min(engine.share * outside.capacity,
                                  room - outside.context - outside.library - trainer);
    const double answers = own ? input.workload.batch.micro
                               : std::ceil(input.workload.preference->answers / engine.replicas);
    const double needed = std::min(answers * engine.mean_cache, share - weights);
    const double cache = std::max(
        engine.cache, engine.takes_share ? engine.share * outside.capacity - weights : needed);
    Instant instant;
    instant.name = "rollout";
    const auto add = [&instant](Component component) {
        if (component.size > Bytes{}) {
            instant.total += component.size;
            instant.components.push_back(component);
        }
    };
    add(part("engine weights", weights, "parameters 2 / ranks"));
    add(part("engine cache", cache, "keys and values of the answers that run at once"));
    add(part("trainer's weights and states", trainer, "what the trainer holds through the step"));
    return instant;
}

double bytes_of(const Instant& instant, std::initializer_list<std::string_view> names) {
    double bytes = 0;
    for (const Component& component : instant.components) {
        if (is_among(component.name, names)) {
            bytes += component.size.base();
        }
    }
    return bytes;
}

/// Seconds of the parts of a step that have one of these names.
double seconds_of(const TimeEstimate& time, std::initializer_list<std::string_view> names) {
    double seconds = 0;
    for (const TimeComponent& component : time.components) {
        if (is_among(component.name, names)) {
            seconds += component.time.base();
        }
    }
    return seconds;
}

/// Time of a forward pass of the whole batch: its share of the passes of a step, with as much of
/// the exchanges between ranks.
double forward_seconds(const TimeEstimate& time) {
    const double forward = seconds_of(time, {"forward"});
    const double all = seconds_of(time, {"forward", "backward", "recompute"});
    const double rest = seconds_of(time, {"optimizer", "offload", "data parallel"});
    return all > 0 ? (time.step.base() - rest) * forward / all : 0;
}

void add_part_of_round(TimeEstimate& time, std::string_view name, double seconds, Bound bound) {
    if (seconds > 0) {
        time.components.push_back({name, Seconds::of_base(seconds), bound});
    }
}

/// Rates of a step of `samples` samples and `tokens` tokens that takes `seconds`.
void fill_rates(TimeEstimate& time, double seconds, double samples, double tokens) {
    const double before = time.step.base();
    time.step = Seconds::of_base(seconds);
    time.samples_per_second = samples / seconds;
    time.tokens_per_second = tokens / seconds;
    if (before > 0) {
        time.total = Seconds::of_base(time.total.base() * seconds / before);
    }
}

TimeEstimate pairs_time(const EstimateInput& input, TimeEstimate time) {
    if (!input.workload.preference->refers()) {
        return time;
    }
    const double step = time.step.base();
    const double reference = forward_seconds(time);
    if (!(step > 0)) {
        return time;
    }
    const double scale = step / (step + reference);
    add_part_of_round(time, "reference", reference, Bound::compute);
    time.mfu *= scale;
    fill_rates(time, step + reference, time.samples_per_second * step,
               time.tokens_per_second * step);
    return time;
}

/// What the accelerators that update need for a round.
struct TrainerTime {
    TimeEstimate update;  ///< one step of the optimizer
    double seconds = 0;   ///< of all steps of the round
    double forward = 0;   ///< of a forward pass over all answers
    Handover handover;
};

TrainerTime trainer_time(const EstimateInput& input) {
    const PreferenceTuning& tuning = *input.workload.preference;
    Cluster cluster = input.cluster;
    cluster.count -= rollout_accelerators(input);
    cluster.per_node = std::min(cluster.per_node, cluster.count);
    EstimateInput own{input.architecture,
                      input.workload,
                      cluster,
                      input.software,
                      input.device,
                      input.calibration,
                      cluster.count == input.cluster.count ? input.links : nullptr,
                      input.replayed};
    const auto step_of = [&](double samples) {
        Workload batch = input.workload;
        if (tuning.packs(input.software.preference) && batch.batch.sequence_length > 0) {
            batch = packed_batch(input.workload, samples);
        } else {
            batch.batch.global = static_cast<int>(std::clamp(samples, 1.0, 2e9));
        }
        const EstimateInput one{own.architecture, batch,           own.cluster, own.software,
                                own.device,       own.calibration, own.links,   own.replayed};
        return training_time(one);
    };
    const double samples = std::max(1, input.workload.batch.global);
    TrainerTime result;
    result.update = step_of(samples);
    result.seconds =
        result.update.step.base() * tuning.answers / samples * std::max(1.0, tuning.epochs);
    result.forward = forward_seconds(step_of(tuning.answers));
    result.handover = handover(own, cluster.count == input.cluster.count);
    return result;
}

/// Rounds of the run; its samples are prompts.
double rounds_of(const Workload& workload, double tokens_of_round) {
    if (workload.duration_tokens) {
        return std::ceil(*workload.duration_tokens / std::max(1.0, tokens_of_round));
    }
    return std::ceil(workload.duration_samples.value_or(0) /
                     std::max(1.0, workload.preference->prompts));
}

}  // namespace

int rollout_accelerators(const EstimateInput& input) {
    const PreferenceTuning tuning = input.workload.preference.value_or(PreferenceTuning{});
    return rollout_cards(tuning, input.software.preference, input.cluster.count);
}

double engine_beside_trainer(const EstimateInput& input) {
    if (!input.workload.preference || !colocated(input) || rollout_software(input) == nullptr) {
        return 0;
    }
    const RolloutEngine engine = rollout_engine(input, input.cluster.count);
    const double least = engine.weights + engine.cache;
    const double share = engine.share * outside_tensors(input).capacity;
    const double awake = engine.takes_share ? std::max(least, share) : least;
    return asleep + (input.workload.preference->sleeps(input.software.preference) ? 0 : awake);
}

MemoryEstimate preference_memory(const EstimateInput& input) {
    const OperatorList list =
        training_operators(input.architecture, input.workload, input.software);
    const std::vector<BlockMemory> blocks = block_memories(input, list);
    const MemoryStages stages = memory_stages(input, list, blocks);
    TrainingPeak peak = training_peak(input, stages);
    MemoryEstimate memory = at_peak(input, stages, peak);
    constexpr auto pool = static_cast<std::size_t>(MemoryPool::compute);
    if (peak.replayed[pool] > 0) {
        // The replay is of the policy alone.
        peak.replayed[pool] +=
            bytes_of(memory.instants[memory.peak_instant],
                     {"reference", "reward model", "critic", "optimizer of the critic"});
    }
    std::optional<Instant> rollout;
    if (colocated(input)) {
        const bool sleeps = input.workload.preference->sleeps(input.software.preference);
        const double stays = engine_beside_trainer(input);
        for (Instant& instant : memory.instants) {
            if (stays <= 0) {
                break;
            }
            instant.components.push_back(
                part(sleeps ? "engine asleep" : "engine beside", stays,
                     sleeps ? "graphs, context and buffers" : "weights, least cache, graphs",
                     "vLLM sleep mode; assumed"));
            instant.total += Bytes::of_base(stays);
        }
        memory.allocated += Bytes::of_base(stays);
        peak.replayed[pool] += peak.replayed[pool] > 0 ? stays : 0;
        const std::vector<double> resident = resident_bytes(input, stages);
        const double most = resident.empty() ? 0 : *std::ranges::max_element(resident);
        rollout = rollout_instant(input, most);
    }
    return counted(std::move(memory), input, peak.gather_pool.base(), peak.replayed, 1, rollout);
}

TimeEstimate preference_time(const EstimateInput& input) {
    const PreferenceTuning& tuning = *input.workload.preference;
    if (!tuning.generates()) {
        return pairs_time(input, training_time(input));
    }
    const int apart = rollout_accelerators(input);
    const int generating = apart > 0 ? apart : input.cluster.count;
    const TrainerTime trainer = trainer_time(input);
    TimeEstimate time = trainer.update;
    const AnswerLengths lengths = answer_lengths(input.workload);
    const double tokens = lengths.prompt + lengths.mean;
    const double scorers = 1 + (tuning.refers() ? 1 : 0) + tuning.reward_size + tuning.critic_size;
    TuningRound round;
    round.prompts = tuning.prompts;
    round.answers = tuning.group;
    round.scoring = Seconds::of_base(scorers * trainer.forward + trainer.handover.reference);
    round.update = Seconds::of_base(trainer.seconds * (1 + tuning.critic_size));
    const RolloutEngine engine = rollout_engine(input, generating);
    round.rollout =
        Seconds::of_base(rollout_seconds(input, engine, tuning.prompts, tuning.answers));
    const bool hands_over = rollout_software(input) != nullptr || apart > 0;
    round.sync = Seconds::of_base(sync_seconds(input) + trainer.handover.states +
                                  (!hands_over ? 0
                                   : apart > 0 ? preparing
                                               : switching));
    round.overlapped = apart > 0 && tuning.staleness != 0;
    const Seconds trains = round.scoring + round.update;
    const Seconds both =
        round.overlapped ? std::max(round.rollout, trains) : round.rollout + trains;
    const double before = time.step.base();
    time.components.clear();
    const bool hidden = round.overlapped;
    add_part_of_round(
        time, "rollout",
        hidden ? (round.rollout - std::min(round.rollout, trains)).base() : round.rollout.base(),
        Bound::memory);
    add_part_of_round(time, "scoring", round.scoring.base(), Bound::compute);
    add_part_of_round(time, "update", round.update.base(), Bound::compute);
    add_part_of_round(time, "weights to the engine", round.sync.base(), Bound::communication);
    const double seconds = both.base() + round.sync.base();
    if (!(seconds > 0)) {
        return time;
    }
    // Rates of the trainer's own step, of its own accelerators.
    const double share = before > 0 ? round.update.base() / seconds *
                                          (input.cluster.count - apart) / input.cluster.count
                                    : 0;
    time.mfu *= share;
    time.bound = round.rollout > trains ? Bound::memory : Bound::compute;
    fill_rates(time, seconds, tuning.answers, tuning.answers * tokens);
    const double rounds = rounds_of(input.workload, tuning.answers * tokens);
    time.total = Seconds::of_base(rounds * seconds);
    time.round = round;
    time.band = round_band;
    return time;
}

}  // namespace ridgeline
