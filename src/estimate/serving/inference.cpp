#include "estimate/serving/inference.h"

#include "estimate/families/transformer/parameters.h"
#include "estimate/serving/kv_cache.h"
#include "estimate/serving/serving_memory.h"
#include "estimate/serving/serving_pass.h"
#include "estimate/serving/transcript.h"
#include "estimate/time/collective.h"
#include "estimate/time/device.h"
#include "estimate/uncertainty.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

struct Request {
    double input = 0;
    double output = 0;
    double cached = 0;       ///< tokens of the input that the prefix cache has
    double concurrency = 1;  ///< on one replica
    double running = 1;      ///< that decode together: what the cache holds
    double stages = 1;
    bool encoded = false;  ///< an encoder reads the input, the decoder attends to its own output
    bool heard =
        false;  ///< windows of sound in a loop of its own: a batch waits for its longest transcript
    double hypotheses = 1;  ///< that the search of a loop of its own carries for each
    Transcript window;      ///< of sound
    /// Tokens of the prompt that are computed.
    double computed() const { return input - cached; }
    double context() const { return (encoded ? 0 : input) + output / 2; }  ///< mean over the output
};

/// Sequences in all stages of their answers that the cache holds beside the weights. An engine that
/// sets room aside for answers admits as many as leave it: on average half of each answer is still
/// to come.
double cache_slots(const EstimateInput& input, const Request& request) {
    const double reserved = input.software.engine.scheduler.reserved_output;
    const double tokens = std::max(1.0, request.context() + reserved * request.output / 2);
    const double per_sequence =
        kv_cache_bytes(input.architecture, input.workload.plan,
                       bytes_per_element(input.workload.kv_cache), tokens, request.input);
    if (per_sequence <= 0) {
        return request.concurrency;
    }
    return std::max(1.0, inference_peak(input).cache_room.base() / per_sequence);
}

/// Share of requests that arrive while the whole concurrency arrives: a benchmark of ten rounds
/// starts with a burst.
constexpr double burst_share = 0.1;

struct Prompt {
    double seconds = 0;
    double flops = 0;
    double compute_bound = 0;
    ServedPass chunk;
};

/// Prompts that run in one pass when several wait: as many as its tokens hold.
double prompts_together(const EstimateInput& input, const Request& request) {
    const double most = most_prompt_tokens(input);
    if (passes_whole_batch(input.architecture, input.software, most)) {
        return request.running;
    }
    if (most <= 0 || request.input <= 0) {
        return 1;
    }
    return std::clamp(std::floor(most / request.computed()), 1.0, std::max(1.0, request.running));
}

/// Where a pass is folded, and the passes that need no listing.
struct ServedPasses {
    const EstimateInput& input;
    const LinkModel& links;
    std::span<const PreparedPass> prepared;

    [[nodiscard]] ServedPass time(const Pass& pass) const {
        for (const PreparedPass& ready : prepared) {
            if (ready.pass == pass) {
                return serve_pass(input, links, ready);
            }
        }
        return serve_pass(input, links, pass);
    }
};

/// Time of one of `together` prompts that run in one pass; a long prompt is cut into chunks that
/// follow each other through the pipeline stages.
Prompt prompt_time(const ServedPasses& passes, const Request& request, double together) {
    const EstimateInput& input = passes.input;
    Prompt prompt;
    if (request.input <= 0) {
        return prompt;
    }
    const double most = most_prompt_tokens(input);
    const double chunks = most > 0 ? std::ceil(request.computed() / most) : 1;
    const double tokens = request.computed() / chunks;
    // A chunk of one token is a step like those of decode.
    const double least = chunks > 1 || request.cached > 0 ? 1 : 2;
    const Pass pass{.samples = together,
                    .tokens = std::max(least, tokens),
                    .context = std::max(2.0, request.cached + tokens * (chunks + 1) / 2),
                    .training = false};
    prompt.chunk = passes.time(pass);
    const double one =
        prompt.chunk.total() + hand_over(input, passes.links, together * tokens, request.stages);
    const double overlapped = (chunks + request.stages - 1) / request.stages;
    const double overlap = input.software.engine.pipeline_overlap;
    prompt.seconds = one * (overlap * overlapped + (1 - overlap) * chunks) / together;
    prompt.flops = prompt.chunk.flops * chunks / together;
    prompt.compute_bound = prompt.chunk.compute_bound * chunks / together;
    return prompt;
}

ServedPass decode_pass(const ServedPasses& passes, const Request& request) {
    // Pipeline stages work on groups of the running sequences in turn: a token passes all stages.
    const Pass pass{.samples = std::max(1.0, request.running * request.hypotheses / request.stages),
                    .tokens = 1,
                    .context = std::max(request.encoded ? 2.0 : 1.0, request.context()),
                    .training = false};
    return passes.time(pass);
}

Bound bound_of(const ServedPass& pass, double host) {
    const double device = pass.products + pass.attention + pass.streaming + pass.host;
    if (pass.communication > device) {
        return Bound::communication;
    }
    if (pass.gaps + host > device) {
        return Bound::overhead;
    }
    return pass.compute_bound > device / 2 ? Bound::compute : Bound::memory;
}

void add_component(TimeEstimate& time, std::string_view name, double seconds, Bound bound) {
    if (seconds > 0) {
        time.components.push_back({name, Seconds::of_base(seconds), bound});
    }
}

void add_decode(TimeEstimate& time, const ServedPass& step, double host, double steps) {
    add_component(time, "decode host layers", steps * step.host, Bound::memory);
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
    // A last token is computed, whatever is found (scheduler.cpp).
    const bool decoder = input.architecture.kind == ModelKind::decoder;
    request.cached = decoder ? std::clamp(std::floor(serving.cached_share * request.input), 0.0,
                                          std::max(0.0, request.input - 1))
                             : 0;
    request.encoded = input.architecture.kind == ModelKind::encoder_decoder;
    const bool loop = request.encoded && serving.phase == ServingPhase::end_to_end &&
                      input.software.runtime.kind == RuntimeKind::plain;
    request.hypotheses = loop ? std::max(1, input.workload.batch.beam) : 1;
    request.heard = loop && input.architecture.stacks.front().tokens > 0;
    request.concurrency =
        std::max(1.0, serving.concurrency / std::max(1, input.workload.plan.data));
    request.stages = std::max(1, input.workload.plan.pipeline);
    request.running =
        request.concurrency > 1 ? std::min(request.concurrency, cache_slots(input, request)) : 1;
    if (request.heard) {
        request.window = transcript(input, request.running, request.hypotheses);
    }
    return request;
}

/// All that runs while each running request is served once.
struct Round {
    ServingPhase phase = ServingPhase::end_to_end;
    Request request;
    bool decodes = false;
    bool prompts = false;
    Prompt prompt;  ///< one of those that share a pass
    Prompt alone;   ///< one that arrives by itself
    double together = 1;
    ServedPass step;
    double host = 0;           ///< of a decode step, seconds
    double drafts = 0;         ///< of proposing tokens before a step, seconds
    double tokens_a_step = 1;  ///< of one request
    double hand = 0;           ///< between pipeline stages, of a decode step
    double request_host = 0;   ///< of a request before its first token
    double front = 0;          ///< seconds by which the process in front makes it longer
    double front_reads = 0;    ///< share of them for reading requests, not for writing tokens
    /// For one token of each running request.
    [[nodiscard]] double step_time() const {
        return decodes ? (step.total() + hand + host + drafts) / tokens_a_step : 0;
    }
    /// Steps of a batch: of transcripts that lie evenly up to half above and below their mean the
    /// longest of n is (n - 1) / (n + 1) of it above.
    [[nodiscard]] double steps() const {
        constexpr double uneven = 0.5;
        const double n = request.heard ? request.running : 1;
        return (request.output + request.window.marks) * (1 + uneven * (n - 1) / (n + 1));
    }
    [[nodiscard]] double seconds() const {
        return request_host + request.running * prompt.seconds + steps() * step_time() + front;
    }
    /// Until one of those that run has ended for each that waits.
    [[nodiscard]] double wait() const {
        return (request.concurrency - request.running) / request.running * seconds();
    }
};

}  // namespace

double running_together(const EstimateInput& input) { return request_of(input).running; }

namespace {

/// Speculative decoding: a step checks the proposed tokens of each sequence beside the one that is
/// due. Its products see all of them, the cache is read once.
void speculate(const ServedPasses& passes, Round& round) {
    const EstimateInput& input = passes.input;
    const Serving serving = input.workload.serving.value_or(Serving{});
    if (serving.draft_tokens <= 0) {
        return;
    }
    round.tokens_a_step = speculated_tokens(serving);
    const ServedPass plain = round.step;
    Request checked = round.request;
    checked.running *= serving.draft_tokens + 1;
    round.step = decode_pass(passes, checked);
    round.step.attention = plain.attention;
    round.drafts = draft_time(input, serving, plain);
}

/// The process in front of an engine serves no more requests than it reads and writes.
void wait_for_front_end(const FrontEnd& front, Round& round) {
    const double written = round.decodes ? round.request.output * front.token : 0;
    const double each = front.request + written;
    round.front = std::max(0.0, round.request.running * each - round.seconds());
    round.front_reads = each > 0 ? front.request / each : 0;
}

Round round_of(const ServedPasses& passes) {
    const EstimateInput& input = passes.input;
    const LinkModel& links = passes.links;
    Round round;
    round.phase = input.workload.serving.value_or(Serving{}).phase;
    round.request = request_of(input);
    // An encoder answers with its first pass.
    round.decodes = round.phase != ServingPhase::prefill && round.request.output > 0 &&
                    input.architecture.text().causal;
    round.prompts = round.phase != ServingPhase::decode;
    round.host = input.software.engine.step_overhead.base();
    round.host += round.request.window.step_host;
    // A pass on its own is timed inside the engine; only whole requests go through the server.
    if (round.phase == ServingPhase::end_to_end) {
        // The host of a loop of its own prepares one after another.
        round.request_host =
            (input.software.engine.request_overhead.base() + round.request.window.cut_host) *
            (round.request.heard ? round.request.running : 1);
    }
    if (round.prompts) {
        // A prompt that arrives alone runs alone; those that wait share passes.
        round.together = prompts_together(input, round.request);
        round.prompt = prompt_time(passes, round.request, round.together);
        round.alone = round.together > 1 ? prompt_time(passes, round.request, 1) : round.prompt;
    }
    if (round.decodes) {
        round.step = decode_pass(passes, round.request);
        round.hand = hand_over(input, links, round.request.running, round.request.stages);
        speculate(passes, round);
    }
    if (round.phase == ServingPhase::end_to_end) {
        wait_for_front_end(front_end(input), round);
    }
    return round;
}

/// What a step reads and writes at the memory's rate on paper, for a token of each request; what
/// the caches of the card hold may come from there.
double floor_of_step(const EstimateInput& input, const Round& round) {
    const Accelerator& part = *input.cluster.accelerator;
    const double rate = part.memory_bandwidth.base();
    const double cached = std::max(part.l2_cache.value_or(Bytes{}).base(),
                                   part.last_level_cache.value_or(Bytes{}).base());
    return rate > 0 ? std::max(0.0, round.step.bytes - cached) / rate / round.tokens_a_step : 0;
}

void fill_latency(TimeEstimate& time, const Round& round) {
    const double burst = (round.request.running + round.together - 2) / 2 * burst_share;
    if (round.prompts) {
        // A request that arrives while others decode waits for the step that runs.
        const bool others = round.decodes && round.request.running > 1;
        const double step = others ? round.step_time() : 0;
        const double waits = round.phase == ServingPhase::end_to_end ? round.wait() : 0;
        time.ttft =
            Seconds::of_base(waits + round.request_host + step + round.alone.seconds +
                             round.prompt.seconds * burst + round.front * round.front_reads);
    }
    if (round.decodes) {
        // While it decodes, a request also waits for the prompts of the others that it has not
        // waited for before its own: the work of a round stays the same.
        const double others = round.request.running - 1;
        const double interleaved =
            (others - std::min(burst, others)) * round.prompt.seconds / round.request.output;
        const double written = round.front * (1 - round.front_reads) / round.request.output;
        time.tpot = Seconds::of_base(round.step_time() + interleaved + written);
    }
}

/// Seconds of one recording that nothing else is heard beside: whole batches of its windows, then
/// a batch of those that are left.
double recording_seconds(const ServedPasses& passes, const Round& round) {
    const EstimateInput& input = passes.input;
    const double replicas = std::max(1, input.workload.plan.data);
    const double share = std::ceil(windows_of(input, round.request.window) / replicas);
    const double whole = std::floor(share / round.request.running);
    const double left = share - whole * round.request.running;
    if (left <= 0) {
        return whole * round.seconds();
    }
    Workload rest = input.workload;
    rest.serving.emplace(rest.serving.value_or(Serving{})).concurrency = left * replicas;
    const EstimateInput last = input.with(rest);
    return whole * round.seconds() + round_of({last, passes.links, passes.prepared}).seconds();
}

void fill_throughput(TimeEstimate& time, const ServedPasses& passes, const Round& round) {
    const EstimateInput& input = passes.input;
    const Request& request = round.request;
    const double seconds = round.seconds();
    time.step = Seconds::of_base(seconds);
    const double prompts = request.running * round.prompt.seconds;
    const double decoding = round.steps() * round.step_time();
    time.bound = round.decodes && decoding > prompts ? bound_of(round.step, round.host)
                                                     : bound_of(round.prompt.chunk, 0);
    if (seconds <= 0) {
        return;
    }
    const double replicas = std::max(1, input.workload.plan.data);
    time.requests_per_second = replicas * request.running / seconds;
    time.samples_per_second = time.requests_per_second * request.window.advance / audio_window_s;
    if (input.architecture.reads_sound() && input.workload.batch.audio_seconds > audio_window_s) {
        time.total = Seconds::of_base(recording_seconds(passes, round));
    }
    const double tokens = round.decodes ? request.output : request.computed();
    time.tokens_per_second =
        input.architecture.reads_images() ? 0 : time.requests_per_second * tokens;
    const double flops = request.running * round.prompt.flops + request.output * round.step.flops;
    const double peak = input.device.peak_of(input.workload.compute).base() * request.stages;
    time.mfu = peak > 0 ? flops / seconds / peak : 0;
    time.compute_bound_share =
        (request.running * round.prompt.compute_bound + request.output * round.step.compute_bound) /
        seconds;
}

}  // namespace

TimeEstimate inference_time(const EstimateInput& input) { return inference_time(input, {}); }

TimeEstimate inference_time(const EstimateInput& input, std::span<const PreparedPass> prepared) {
    if (input.architecture.stacks.empty()) {
        TimeEstimate unknown;
        unknown.worst_tier = Tier::assumed;
        unknown.band = assumed_band;
        return unknown;
    }
    LinkModel resolved;
    if (!input.links) {
        resolved = link_model(input.cluster, input.calibration);
    }
    const ServedPasses passes{input, input.links ? *input.links : resolved, prepared};
    const Round round = round_of(passes);
    TimeEstimate time;
    fill_latency(time, round);
    time.tpot_floor = Seconds::of_base(round.decodes ? floor_of_step(input, round) : 0);
    fill_throughput(time, passes, round);
    add_component(time, "prompts", round.request.running * round.prompt.seconds,
                  bound_of(round.prompt.chunk, 0));
    const double steps = round.decodes ? round.steps() / round.tokens_a_step : 0;
    add_component(time, "host beside the network", round.request.heard ? round.request_host : 0,
                  Bound::overhead);
    add_component(time, "front end", round.front, Bound::overhead);
    add_component(time, "draft model", steps * round.drafts, Bound::memory);
    add_decode(time, round.step, round.host + round.hand, steps);
    time.worst_tier = std::max(round.step.worst_tier, round.prompt.chunk.worst_tier);
    time.band = band_for(input.calibration, serving_kind(input, "time"));
    const double least = round.steps() * (time.tpot_floor / second);
    if (time.step > Seconds{}) {
        time.band.low = std::max(time.band.low, std::min(1.0, least / (time.step / second)));
    }
    return time;
}

}  // namespace ridgeline
