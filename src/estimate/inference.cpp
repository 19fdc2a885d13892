#include "estimate/inference.h"

#include <algorithm>
#include <cmath>

#include "estimate/collective.h"
#include "estimate/kv_cache.h"
#include "estimate/memory.h"
#include "estimate/serving_pass.h"
#include "estimate/uncertainty.h"

namespace ridgeline {
namespace {

/// Prompts that serving benchmarks send for each concurrent slot (InferenceX and vLLM's own use 10
/// times the concurrency): the first of them arrive together, so the mean first token waits for
/// half a burst in one of so many rounds.
constexpr double benchmark_rounds = 10;

struct Request {
    double input = 0;
    double output = 0;
    double concurrency = 1;  ///< on one replica
    double running = 1;      ///< that decode together: what the cache holds
    double stages = 1;
    double context() const { return input + output / 2; }  ///< mean over the output
};

/// Sequences of mean length that the cache holds beside the weights.
double cache_slots(const EstimateInput& input, const Request& request) {
    const double tokens = std::max(1.0, request.context());
    const double per_sequence =
        kv_cache_bytes(input.architecture, input.workload.plan,
                       bytes_per_element(input.workload.kv_cache), tokens);
    if (per_sequence <= 0) {
        return request.concurrency;
    }
    const InferencePeak peak = inference_peak(input);
    const double whole = request.input + request.output;
    const double held = kv_cache_bytes(input.architecture, input.workload.plan,
                                       bytes_per_element(input.workload.kv_cache), whole) *
                        request.concurrency;
    const double others = peak.total.base() - held;
    const double claimed = input.software.memory_fraction.value_or(1.0) *
                           input.cluster.accelerator->capacity().base();
    return std::max(1.0, (claimed - others) / per_sequence);
}

/// Messages of the residual stream between pipeline stages, one after another.
double hand_over(const EstimateInput& input, const LinkModel& links, double tokens, double stages) {
    if (stages <= 1) {
        return 0;
    }
    const double bytes = tokens * input.architecture.text().hidden * 2;
    const int per_node = std::min(2, links.per_node);
    const CollectiveTime message =
        collective_time(links, Collective::point_to_point, Bytes::of_base(bytes), 2, per_node);
    return (stages - 1) * (message.time + input.software.stage_overhead).base();
}

struct Prompt {
    double seconds = 0;
    double flops = 0;
    double compute_bound = 0;
    ServedPass chunk;
};

/// Prompts that run in one pass when several wait: as many as its tokens hold.
double prompts_together(const EstimateInput& input, const Request& request) {
    const double most = input.software.prefill_chunk_tokens;
    if (most <= 0 || request.input <= 0) {
        return 1;
    }
    return std::clamp(std::floor(most / request.input), 1.0, std::max(1.0, request.running));
}

/// Time of one of `together` prompts that run in one pass; a long prompt is cut into chunks that
/// follow each other through the pipeline stages.
Prompt prompt_time(const EstimateInput& input,
                   const LinkModel& links,
                   const Request& request,
                   double together) {
    Prompt prompt;
    if (request.input <= 0) {
        return prompt;
    }
    const double most = input.software.prefill_chunk_tokens;
    const double chunks = most > 0 ? std::ceil(request.input / most) : 1;
    const double tokens = request.input / chunks;
    const Pass pass{.samples = together,
                    .tokens = std::max(2.0, tokens),
                    .context = std::max(2.0, tokens * (chunks + 1) / 2),
                    .training = false};
    prompt.chunk = serve_pass(input, links, pass);
    const double one =
        prompt.chunk.total() + hand_over(input, links, together * tokens, request.stages);
    const double overlapped = (chunks + request.stages - 1) / request.stages;
    const double overlap = input.software.pipeline_overlap;
    prompt.seconds = one * (overlap * overlapped + (1 - overlap) * chunks) / together;
    prompt.flops = prompt.chunk.flops * chunks / together;
    prompt.compute_bound = prompt.chunk.compute_bound * chunks / together;
    return prompt;
}

ServedPass decode_pass(const EstimateInput& input, const LinkModel& links, const Request& request) {
    // Pipeline stages work on groups of the running sequences in turn: a token passes all stages.
    const Pass pass{.samples = std::max(1.0, request.running / request.stages),
                    .tokens = 1,
                    .context = std::max(1.0, request.context()),
                    .training = false};
    return serve_pass(input, links, pass);
}

Bound bound_of(const ServedPass& pass, double host) {
    const double device = pass.products + pass.attention + pass.streaming;
    if (pass.communication > device) {
        return Bound::communication;
    }
    if (pass.gaps + host > device) {
        return Bound::overhead;
    }
    return pass.compute_bound > device / 2 ? Bound::compute : Bound::memory;
}

std::string_view phase_name(ServingPhase phase) {
    switch (phase) {
        case ServingPhase::prefill: return "prefill";
        case ServingPhase::decode: return "decode";
        case ServingPhase::end_to_end: break;
    }
    return "end_to_end";
}

void add_component(TimeEstimate& time, std::string_view name, double seconds, Bound bound) {
    if (seconds > 0) {
        time.components.push_back({name, Seconds::of_base(seconds), bound});
    }
}

void add_decode(TimeEstimate& time, const ServedPass& step, double host, double steps) {
    const Bound products = 2 * step.compute_bound > step.products ? Bound::compute : Bound::memory;
    add_component(time, "decode products", steps * step.products, products);
    add_component(time, "decode attention", steps * step.attention, Bound::memory);
    add_component(time, "decode streaming", steps * step.streaming, Bound::memory);
    add_component(time, "decode kernel gaps", steps * step.gaps, Bound::overhead);
    add_component(time, "decode communication", steps * step.communication, Bound::communication);
    add_component(time, "decode host", steps * host, Bound::overhead);
}

Request request_of(const EstimateInput& input) {
    const Serving serving = input.workload.serving.value_or(Serving{});
    Request request;
    request.input = serving.phase == ServingPhase::decode && serving.input_tokens <= 0
                        ? 0
                        : serving.input_tokens;
    request.output = serving.output_tokens;
    request.concurrency =
        std::max(1.0, serving.concurrency / std::max(1, input.workload.plan.data));
    request.stages = std::max(1, input.workload.plan.pipeline);
    request.running = std::min(request.concurrency, cache_slots(input, request));
    return request;
}

}  // namespace

TimeEstimate inference_time(const EstimateInput& input) {
    TimeEstimate time;
    if (input.architecture.stacks.empty()) {
        time.worst_tier = Tier::assumed;
        time.band = assumed_band;
        return time;
    }
    LinkModel resolved;
    if (!input.links) {
        resolved = link_model(input.cluster, input.calibration);
    }
    const LinkModel& links = input.links ? *input.links : resolved;
    const ServingPhase phase = input.workload.serving.value_or(Serving{}).phase;
    const Request request = request_of(input);
    const double replicas = std::max(1, input.workload.plan.data);
    const double host = input.software.serving_step_overhead.base();
    // A pass on its own is timed inside the engine; only whole requests go through the server.
    const double request_host =
        phase == ServingPhase::end_to_end ? input.software.request_overhead.base() : 0;

    const bool decodes = phase != ServingPhase::prefill && request.output > 0;
    const bool prompts = phase != ServingPhase::decode;
    // A prompt that arrives alone runs alone; those that wait share passes.
    const double together = prompts_together(input, request);
    const Prompt prompt = prompts ? prompt_time(input, links, request, together) : Prompt{};
    const Prompt alone = prompts && together > 1 ? prompt_time(input, links, request, 1) : prompt;
    const ServedPass step = decodes ? decode_pass(input, links, request) : ServedPass{};
    const double hand = decodes ? hand_over(input, links, request.running, request.stages) : 0;
    const double step_time = decodes ? step.total() + hand + host : 0;

    // Each running request also waits for the prompts of the others that are admitted meanwhile.
    const double interleaved =
        decodes ? (request.running - 1) * prompt.seconds / request.output : 0;
    const double burst = (request.concurrency + together - 2) / 2 / benchmark_rounds;
    if (prompts) {
        time.ttft = Seconds::of_base(request_host + alone.seconds + prompt.seconds * burst);
    }
    time.tpot = Seconds::of_base(step_time + interleaved);

    const double round =
        request_host + request.running * prompt.seconds + request.output * step_time;
    time.step = Seconds::of_base(round);
    const double tokens = decodes ? request.output : request.input;
    if (round > 0) {
        time.requests_per_second = replicas * request.running / round;
        time.tokens_per_second = time.requests_per_second * tokens;
        time.samples_per_second = time.requests_per_second;
    }

    const double flops = request.running * prompt.flops + request.output * step.flops;
    const double peak = input.device.peak_of(input.workload.compute).base() * request.stages;
    time.mfu = round > 0 && peak > 0 ? flops / round / peak : 0;
    time.hfu = time.mfu;
    time.compute_bound_share =
        round > 0 ? (request.running * prompt.compute_bound + request.output * step.compute_bound) /
                        round
                  : 0;
    add_component(time, "prompts", request.running * prompt.seconds,
                  bound_of(prompt.chunk, 0));
    add_decode(time, step, host + hand, request.output);
    time.bound = decodes && request.output * step_time > request.running * prompt.seconds
                     ? bound_of(step, host)
                     : bound_of(prompt.chunk, 0);
    time.worst_tier = std::max(step.worst_tier, prompt.chunk.worst_tier);
    time.band = band_for(input.calibration, "inference",
                         {phase_name(phase), input.workload.framework});
    return time;
}

}  // namespace ridgeline
