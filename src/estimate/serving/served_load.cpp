#include "estimate/serving/served_load.h"

#include "estimate/serving/arrivals.h"
#include "estimate/serving/disaggregation.h"
#include "estimate/serving/inference.h"
#include "estimate/serving/scheduler.h"
#include "estimate/serving/serving_memory.h"
#include "estimate/serving/serving_pass.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace ridgeline {
namespace {

constexpr int most_replicas = 64;        ///< that run; of more, these stand for all
constexpr double most_iterations = 1e6;  ///< of prompts; longer ones run in larger chunks
constexpr double most_together = 512;    ///< sequences of an open load that the table covers
constexpr double at_once = 1e9;          ///< requests a second
constexpr int halvings = 12;             ///< of the interval in which the largest rate lies
constexpr double most_of_a_loop = 4096;  ///< sequences of a replica that are simulated
/// Of requests that must stay within the targets at the largest rate.
constexpr double kept_share = 0.9;

LoadSpread spread_of(std::vector<double> values) {
    LoadSpread spread;
    if (values.empty()) {
        return spread;
    }
    const auto at = [&values](double share) {
        const double last = static_cast<double>(values.size() - 1);
        const auto place =
            values.begin() + static_cast<std::ptrdiff_t>(std::ceil(share * last - 1e-9));
        std::ranges::nth_element(values, place);
        return *place;
    };
    for (const double value : values) {
        spread.mean += value / static_cast<double>(values.size());
    }
    spread.p50 = at(0.5);
    spread.p90 = at(0.9);
    spread.p99 = at(0.99);
    return spread;
}

/// Time of each token of a request after its first; 0: it had but one.
double token_time(const RequestTimes& request) {
    return request.output > 1 ? (request.end - request.first) / (request.output - 1) : 0;
}

bool within(const RequestTimes& request, const LoadTargets& targets) {
    return (!targets.ttft || request.first - request.arrival <= targets.ttft->base()) &&
           (!targets.tpot || token_time(request) <= targets.tpot->base());
}

double kept_within(const ScheduledRun& run, const LoadTargets& targets) {
    const auto kept = std::ranges::count_if(
        run.requests, [&](const RequestTimes& request) { return within(request, targets); });
    return static_cast<double>(kept) /
           static_cast<double>(std::max<std::size_t>(1, run.requests.size()));
}

/// Requests a second that end while more come, where that is less than come and those of the last
/// fifth waited longer than those before: the queue grows as long as they come. Between the fifth
/// that fills the engine and the one that empties it.
std::optional<double> growing_queue(const ScheduledRun& run) {
    const std::size_t fifth = run.requests.size() / 5;
    constexpr std::size_t least = 20;  // fewer say nothing of a rate
    constexpr double noise = 0.95;     // the ends of some hundred requests scatter so much
    if (fifth < least) {
        return std::nullopt;
    }
    std::vector<double> ends;
    std::vector<double> comes;
    for (const RequestTimes& request : run.requests) {
        ends.push_back(request.end);
        comes.push_back(request.arrival);
    }
    std::ranges::sort(ends);
    std::ranges::sort(comes);
    const std::size_t last = ends.size() - fifth;
    const double ended = ends[last] - ends[fifth];
    const double came = comes[last] - comes[fifth];
    const auto wait = [&run, fifth](std::size_t from) {
        double sum = 0;
        for (std::size_t i = from; i < from + fifth; ++i) {
            sum += run.requests[i].first - run.requests[i].arrival;
        }
        return sum;
    };
    if (ended <= 0 || came >= noise * ended || wait(last) <= wait(2 * fifth)) {
        return std::nullopt;
    }
    return static_cast<double>(last - fifth) / ended;
}

/// Requests a second of a closed loop between its filling and its emptying: each that ends lets one
/// begin, so that those that came after the first round have begun as others ended. 0: there was
/// but one round.
double steady_rate(const ScheduledRun& run, double in_flight) {
    std::vector<double> ends;
    ends.reserve(run.requests.size());
    for (const RequestTimes& request : run.requests) {
        ends.push_back(request.end);
    }
    std::ranges::sort(ends);
    const auto round = static_cast<std::size_t>(in_flight);
    if (round < 1 || ends.size() < 3 * round) {
        return 0;
    }
    const std::size_t last = ends.size() - round;
    const double seconds = ends[last] - ends[round];
    return seconds > 0 ? static_cast<double>(last - round) / seconds : 0;
}

/// share  of the replicas, that ran
ServedLoad load_of(const ScheduledRun& run, double share) {
    std::vector<double> ttft;
    std::vector<double> tpot;
    std::vector<double> whole;
    double tokens = 0;
    for (const RequestTimes& request : run.requests) {
        ttft.push_back(request.first - request.arrival);
        whole.push_back(request.end - request.arrival);
        tokens += request.output;
        if (request.output > 1) {
            tpot.push_back(token_time(request));
        }
    }
    ServedLoad load;
    load.ttft = spread_of(std::move(ttft));
    load.tpot = spread_of(std::move(tpot));
    load.end_to_end = spread_of(std::move(whole));
    load.requests = static_cast<int>(run.requests.size());
    load.preemptions = static_cast<int>(run.preemptions);
    load.fullest_cache = run.fullest_cache;
    if (run.seconds > 0) {
        load.requests_per_second = load.requests / run.seconds / share;
        load.tokens_per_second = tokens / run.seconds / share;
    }
    return load;
}

double prompt_tokens(const Arrivals& arrivals) {
    double tokens = 0;
    for (const TracedRequest& request : arrivals.requests) {
        tokens += request.input_tokens;
    }
    return tokens;
}

/// Of the replicas that run, so many run prompts alone: at least one where any is asked for.
int prompt_replicas_of(const Serving& serving, int replicas, double share) {
    if (serving.prompt_replicas <= 0) {
        return 0;
    }
    const int part = static_cast<int>(std::lround(serving.prompt_replicas * share));
    return std::clamp(part, std::min(1, replicas - 1), replicas - 1);
}

/// Speculative decoding: tokens of a step, and the time of proposing them (inference.cpp).
void speculate(const EstimateInput& input, const LinkModel& links, EngineRules& rules) {
    const Serving& serving = *input.workload.serving;
    if (serving.draft_tokens <= 0) {
        return;
    }
    const ServedPass plain =
        serve_pass(input, links,
                   Pass{.samples = running_together(input),
                        .tokens = 1,
                        .context = serving.input_tokens + serving.output_tokens / 2,
                        .training = false});
    rules.tokens_a_step = speculated_tokens(serving);
    rules.drafts = draft_time(input, serving, plain);
}

EngineRules rules_of(const EstimateInput& input, const LinkModel& links, int replicas) {
    const Serving& serving = *input.workload.serving;
    const EngineProfile& engine = input.software.engine;
    EngineRules rules;
    rules.scheduler = engine.scheduler;
    if (serving.prompt_wait_iterations) {
        rules.scheduler.prompt_wait_iterations = *serving.prompt_wait_iterations;
    }
    rules.budget = most_prompt_tokens(input);
    // A closed loop has as many as the engine is told to run.
    if (serving.burst || serving.request_rate > 0) {
        rules.sequences = most_sequences(input);
    }
    if (rules.budget <= 0) {
        rules.budget = longest_prompt(serving);
    }
    const double inf = std::numeric_limits<double>::infinity();
    const InferencePeak peak = inference_peak(input);
    const double each = peak.cache_of_a_sequence.base();
    const double length = serving.input_tokens + serving.output_tokens;
    rules.cache_tokens = each > 0 ? std::max(length, peak.cache_room.base() / each * length) : inf;
    rules.cached_share = serving.cached_share;
    rules.step_host = engine.step_overhead.base();
    // Each replica has a front end of its own; the reading of them all is one queue here.
    const FrontEnd front = front_end(input);
    rules.request_alone = front.request / replicas;
    rules.token_host = front.token;
    rules.request_host = std::max(engine.request_overhead.base(), front.request);
    rules.stages = std::max(1, input.workload.plan.pipeline);
    rules.overlap = engine.pipeline_overlap;
    speculate(input, links, rules);
    constexpr double tokens_handed =
        1.0 / 8;  // assumed share of the budget: most iterations only decode
    rules.hand_over = hand_over(input, links, rules.budget * tokens_handed, rules.stages);
    return rules;
}

bool has_load(const EstimateInput& input) {
    const auto& serving = input.workload.serving;
    return serving && serving->phase == ServingPhase::end_to_end && serving->output_tokens > 0 &&
           serving->input_tokens > 0 && !input.architecture.stacks.empty() &&
           input.architecture.kind == ModelKind::decoder && input.architecture.text().causal;
}

/// Replicas that stand for all, and the requests of a closed loop that they have.
struct Simulated {
    int replicas = 1;
    double in_flight = 0;
};

/// Of a closed loop those take part that run together: who waits for a turn meets the same engine
/// later. Fewer replicas stand for all where these would have too many requests for all rounds.
Simulated simulated_part(const EstimateInput& input) {
    const Serving& serving = *input.workload.serving;
    const int all = std::max(1, input.workload.plan.data);
    const int most = std::min(all, most_replicas);
    const double each = serving.concurrency / all;
    if (!is_closed_loop(serving) || serving.prompt_replicas > 0) {
        return {most, each * most};
    }
    const double running = std::min({each, running_together(input), most_of_a_loop});
    const double enough = std::floor(static_cast<double>(most_requests) / (usual_rounds * running));
    const int replicas = static_cast<int>(std::clamp(enough, 1.0, static_cast<double>(most)));
    return {replicas, std::floor(running * replicas * (1 + 1e-9))};
}

/// A workload ready to run any arrivals.
struct Bench {
    Serving serving;   ///< of the replicas that run
    double share = 1;  ///< of all replicas
    EngineRules rules;
    PassTimes times;
    Fleet fleet;
    Arrivals arrivals;  ///< of the load as it is stated

    [[nodiscard]] ScheduledRun run(const Arrivals& arrivals) const {
        return run_requests(times, rules, fleet, arrivals);
    }
    /// At a rate of requests a second over all replicas.
    [[nodiscard]] ScheduledRun at_rate(double rate, std::uint64_t seed) const {
        return run(arrivals_of(serving, rate * share, seed));
    }
};

Bench bench_of(const EstimateInput& input, const LinkModel& links, std::uint64_t seed) {
    Serving serving = *input.workload.serving;
    const Simulated part = simulated_part(input);
    const int replicas = part.replicas;
    const double share = static_cast<double>(replicas) / std::max(1, input.workload.plan.data);
    const Fleet fleet{
        .replicas = replicas,
        .prompt_replicas = prompt_replicas_of(serving, replicas, share),
        .transfer_per_token = cache_transfer(input).base() / input.workload.serving->input_tokens};
    serving.concurrency = std::max(1.0, part.in_flight);
    serving.request_rate *= share;
    EngineRules rules = rules_of(input, links, replicas);
    Arrivals arrivals = arrivals_of(serving, serving.request_rate, seed);
    rules.budget = std::max(rules.budget, prompt_tokens(arrivals) / most_iterations);
    rules.most_passes /= replicas;
    const double longest = longest_request(serving);
    const double fits = std::max(1.0, rules.cache_tokens / std::max(1.0, usual_context(serving)));
    const bool open = serving.request_rate > 0 || serving.trace;
    const double wanted = open ? most_together : std::max(1.0, serving.concurrency / replicas);
    const PassReach reach{.sequences = std::min({rules.sequences, fits, wanted}),
                          .prompt = longest_prompt(serving),
                          // A prompt that is not cut runs in one pass, however long it is.
                          .budget = rules.scheduler.chunks
                                        ? rules.budget
                                        : std::max(rules.budget, longest_prompt(serving)),
                          .longest = longest,
                          .decodes = true};
    return {serving, share, rules, PassTimes(input, links, reach), fleet, std::move(arrivals)};
}

/// Requests a second at random times of which nine in ten stay within the targets.
double largest_rate(const Bench& bench, const LoadTargets& targets, std::uint64_t seed) {
    const auto holds = [&](double rate) {
        return kept_within(bench.at_rate(rate, seed), targets) >= kept_share;
    };
    // No rate is sustained above the one at which requests end that came all at once.
    double low = 0;
    double high = load_of(bench.at_rate(at_once, seed), bench.share).requests_per_second;
    if (holds(high)) {
        return high;
    }
    for (int i = 0; i < halvings; ++i) {
        const double rate = (low + high) / 2;
        (holds(rate) ? low : high) = rate;
    }
    return low;
}

/// Seconds until the turn of a request comes in a closed loop of which so many run: the others go
/// before it, as fast as requests end.
double turn_of(const EstimateInput& input, double running) {
    const double others = input.workload.serving->concurrency - running;
    const double rate = others >= 1 ? inference_time(input).requests_per_second : 0;
    return rate > 0 ? others / rate : 0;
}

void begin_earlier(ScheduledRun& run, double seconds) {
    for (RequestTimes& request : run.requests) {
        request.arrival -= seconds;
    }
}

}  // namespace

std::optional<ServedLoad> served_load(const EstimateInput& input, const LoadTargets& targets,
                                      std::uint64_t seed) {
    if (!has_load(input)) {
        return std::nullopt;
    }
    LinkModel resolved;
    if (input.links == nullptr) {
        resolved = link_model(input.cluster, input.calibration);
    }
    const Bench bench = bench_of(input, input.links != nullptr ? *input.links : resolved, seed);
    ScheduledRun run = bench.run(bench.arrivals);
    if (bench.arrivals.in_flight > 0) {
        begin_earlier(run, turn_of(input, bench.arrivals.in_flight / bench.share));
    }
    ServedLoad load = load_of(run, bench.share);
    if (const double rate = steady_rate(run, bench.arrivals.in_flight); rate > 0) {
        // Filling and emptying are no part of what users see who ask again and again.
        load.tokens_per_second *= rate / bench.share / load.requests_per_second;
        load.requests_per_second = rate / bench.share;
    }
    if (bench.serving.request_rate > 0) {
        load.sustained = growing_queue(run);
        if (load.sustained) {
            *load.sustained /= bench.share;
            // The end of the run, in which no more come, is no part of the rate that is served.
            const double all = load.requests_per_second;
            load.tokens_per_second *= all > 0 ? *load.sustained / all : 1;
            load.requests_per_second = *load.sustained;
        }
    }
    if (targets.stated()) {
        load.goodput = kept_within(run, targets) * load.requests_per_second;
        load.largest_rate = largest_rate(bench, targets, seed);
    }
    return load;
}

void add_load(TimeEstimate& time, const EstimateInput& input, const LoadTargets& targets) {
    time.load = served_load(input, targets);
    if (!time.load) {
        return;
    }
    time.ttft = Seconds::of_base(time.load->ttft.mean);
    if (time.tpot > Seconds{}) {
        time.tpot = Seconds::of_base(time.load->tpot.mean);
    }
    const Serving& serving = *input.workload.serving;
    // Answers of stated lengths that differ end one by one: their successors' prompts seldom share
    // a pass.
    const bool uneven = serving.shortest_share.value_or(1) < 1 || spreads_answers(serving);
    if (!is_closed_loop(serving) || serving.trace || serving.prompt_replicas > 0 || uneven) {
        // What comes at its own pace is served at that pace, or as fast as the engine can.
        time.requests_per_second = time.load->requests_per_second;
        time.samples_per_second = time.requests_per_second;
        time.tokens_per_second = time.load->tokens_per_second;
    }
}

}  // namespace ridgeline
