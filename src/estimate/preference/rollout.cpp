#include "estimate/preference/rollout.h"

#include "estimate/families/transformer/parameters.h"
#include "estimate/serving/answer_lengths.h"
#include "estimate/serving/inference.h"
#include "estimate/serving/kv_cache.h"
#include "estimate/time/collective.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ridgeline {
namespace {

constexpr double half_bytes = 2;  // bytes of a served weight of 16 bits and of a cached number

/// Most answers that an engine runs at once, whatever memory says (verl rollout.max_num_seqs).
constexpr double most_running = 1024;

/// An engine in a worker of the trainer schedules, reads tokens with their log-probabilities and
/// stores them between two steps, while the card waits: so long for a step, and for each answer in
/// it. From the generation of Llama 3.1 8B and 70B in NeMo-RL 0.3 (58 and 84 s of rounds:
/// NVIDIA-NeMo/RL issue 959); 3 to 5 ms are reported of vLLM's steps (vllm-project/vllm issues 6854
/// and 6913). Where engines have cards of their own, half of a round is spent waiting for them too
/// (NVIDIA-NeMo/RL pull request 1052).
constexpr double between_steps = 2.4e-3;
constexpr double for_each_answer = 60e-6;

const SoftwareProfile& engine_of(const EstimateInput& input) {
    const SoftwareProfile* engine = rollout_software(input);
    return engine != nullptr ? *engine : input.software;
}

/// What the engine of the rollouts does under this load.
TimeEstimate engine_time(const EstimateInput& input, const LinkModel& links,
                         const RolloutEngine& engine, const Serving& load) {
    Workload workload = engine.workload;
    workload.serving = load;
    return inference_time({input.architecture, workload, engine.cluster, engine_of(input),
                           input.device, input.calibration, &links});
}

/// Time of one token of each of so many answers on a replica, after so many tokens of context.
double token_seconds(const EstimateInput& input, const LinkModel& links,
                     const RolloutEngine& engine, double running, double context) {
    const double host =
        rollout_software(input) != nullptr ? between_steps + running * for_each_answer : 0;
    return host + engine_time(input, links, engine,
                              {.input_tokens = std::max(1.0, context),
                               .output_tokens = 1,
                               .concurrency = std::max(1.0, running) * engine.replicas,
                               .phase = ServingPhase::decode})
                      .tpot.base();
}

/// Time of the tokens of one prompt where several pass together.
double prompt_seconds(const EstimateInput& input, const LinkModel& links,
                      const RolloutEngine& engine, double tokens) {
    constexpr double together = 8;  // prompts a pass, assumed
    const double rate = engine_time(input, links, engine,
                                    {.input_tokens = std::max(1.0, tokens),
                                     .output_tokens = 1,
                                     .concurrency = together * engine.replicas,
                                     .phase = ServingPhase::prefill})
                            .requests_per_second;
    return rate > 0 ? engine.replicas / rate : 0;
}

/// Expected largest of n >= 2 normal numbers, in deviations above their mean (Cramer 1946, section
/// 28.6: the first terms for many): 0.75 for two (exactly 0.56), 1.15 for four (1.03), 2.40 for 64
/// (2.34).
double largest_normal(double n) {
    const double first = std::sqrt(2 * std::log(n));
    const double second =
        std::log(std::log(n)) + std::log(4 * std::numbers::pi) - 2 * std::numbers::egamma;
    return first - second / (2 * first);
}

/// Mean length of the answers of the engine that has the longest ones. Each engine answers a share
/// of the prompts, all answers of one together: half of the variance of lengths is that of prompts
/// (assumed).
double slowest_mean(const AnswerLengths& lengths, double engines, double prompts, double answers) {
    if (engines < 2) {
        return lengths.mean;
    }
    const double deviation = 2 * lengths.mean >= lengths.longest
                                 ? 2 * (lengths.longest - lengths.mean) / std::sqrt(12.0)
                                 : lengths.mean;
    const double of_one =
        std::sqrt(0.5 / std::max(1.0, prompts / engines) + 0.5 / std::max(1.0, answers / engines));
    return std::min(lengths.longest, lengths.mean + largest_normal(engines) * deviation * of_one);
}

}  // namespace

const SoftwareProfile* rollout_software(const EstimateInput& input) {
    const bool own = input.workload.preference && input.workload.preference->engine == false;
    return own ? nullptr : input.software.rollout.get();
}

AnswerLengths answer_lengths(const Workload& workload) {
    const PreferenceTuning tuning = workload.preference.value_or(PreferenceTuning{});
    AnswerLengths lengths;
    lengths.prompt = tuning.prompt_tokens;
    lengths.mean = std::max(1.0, tuning.answer_tokens);
    lengths.longest = std::max(lengths.mean, tuning.longest_tokens - tuning.prompt_tokens);
    return lengths;
}

double still_running(const AnswerLengths& lengths, double tokens) {
    const double mean = lengths.mean;
    const double longest = lengths.longest;
    if (tokens >= longest) {
        return 0;
    }
    if (2 * mean >= longest) {
        const double even = 2 * mean - longest;
        return tokens <= even ? 1 : (longest - tokens) / std::max(1e-9, longest - even);
    }
    return std::exp(-tokens / falling_scale(mean, longest));
}

RolloutEngine rollout_engine(const EstimateInput& input, int accelerators) {
    const PreferenceTuning tuning = input.workload.preference.value_or(PreferenceTuning{});
    const SoftwareProfile& software = engine_of(input);
    RolloutEngine engine;
    engine.cluster = input.cluster;
    engine.cluster.count = std::max(1, accelerators);
    const double own = software.engine.memory_fraction.value_or(0.9);
    const bool colocated = accelerators >= input.cluster.count;
    const double stated = input.software.preference.memory_fraction;
    engine.share = colocated && stated > 0 ? stated : own;
    engine.takes_share =
        colocated && rollout_software(input) && input.software.engine.memory_fraction;
    const double capacity = input.cluster.accelerator->capacity().base();
    const double stored = tuning.rollout_fp8 ? 1 : half_bytes;
    const double bytes = stored * static_cast<double>(count_parameters(input.architecture).total);
    engine.tensor = static_cast<int>(std::max(1.0, tuning.rollout_tensor));
    if (rollout_software(input) == nullptr) {
        engine.tensor = input.workload.plan.tensor;
    } else if (tuning.rollout_tensor <= 0) {
        // Half of its share for the weights, so that as much is left for the cache.
        while (bytes / engine.tensor > engine.share * capacity / 2 &&
               engine.tensor * 2 <= engine.cluster.count) {
            engine.tensor *= 2;
        }
    }
    engine.tensor = std::min(engine.tensor, engine.cluster.count);
    engine.replicas = std::max(1, engine.cluster.count / engine.tensor);
    engine.weights = bytes / engine.tensor;
    Workload& workload = engine.workload;
    workload.name = input.workload.name;
    workload.task = Task::inference;
    workload.framework = software.id;
    workload.weights = workload.gradients = DType::bf16;
    workload.kv_cache = DType::bf16;
    if (tuning.rollout_fp8) {
        workload.quantization.name = "fp8";
        workload.compute = ComputeType::fp8;
    }
    workload.cuda_graphs = true;
    workload.plan.tensor = engine.tensor;
    workload.plan.data = static_cast<int>(engine.replicas);
    const AnswerLengths lengths = answer_lengths(input.workload);
    const auto cache = [&](double tokens) {
        return kv_cache_bytes(input.architecture, workload.plan, half_bytes,
                              lengths.prompt + tokens);
    };
    engine.cache = cache(lengths.longest);
    engine.mean_cache = cache(lengths.mean);
    return engine;
}

double rollout_seconds(const EstimateInput& input, const RolloutEngine& engine, double prompts,
                       double answers) {
    const LinkModel links = link_model(engine.cluster, input.calibration);
    AnswerLengths lengths = answer_lengths(input.workload);
    lengths.mean = slowest_mean(lengths, engine.replicas, prompts, answers);
    const double room =
        engine.share * input.cluster.accelerator->capacity().base() - engine.weights;
    const double held =
        std::clamp(std::floor(room / std::max(1.0, engine.mean_cache)), 1.0, most_running);
    const double share = std::ceil(answers / engine.replicas);
    const double running = std::min(share, held);
    // While answers wait, as many run as the cache holds.
    const double middle = lengths.prompt + lengths.mean / 2;
    double seconds = 0;
    if (share > running) {
        seconds += (share - running) * lengths.mean *
                   token_seconds(input, links, engine, running, middle) / running;
    }
    // The last ones end one by one, up to the longest.
    constexpr int pieces = 8;
    const double piece = lengths.longest / pieces;
    for (int i = 0; i < pieces; ++i) {
        const double at = (i + 0.5) * piece;
        const double left = std::max(1.0, running * still_running(lengths, at));
        seconds += piece * token_seconds(input, links, engine, left, lengths.prompt + at);
    }
    return seconds + std::ceil(prompts / engine.replicas) *
                         prompt_seconds(input, links, engine, lengths.prompt);
}

}  // namespace ridgeline
