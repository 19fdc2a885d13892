#include "estimate/serving/disaggregation.h"

#include "estimate/serving/inference.h"
#include "estimate/serving/kv_cache.h"
#include "estimate/serving/serving_memory.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

/// One replica with its share of the requests, in one phase.
Workload replica(const Workload& workload, ServingPhase phase, double concurrency) {
    Workload one = workload;
    one.plan.data = 1;
    one.serving->phase = phase;
    one.serving->concurrency = concurrency;
    return one;
}

struct ClosedLoop {
    double rate = 0;  ///< requests a second
    double wait = 0;  ///< of a prompt behind others, seconds
};

/// The rate at which a fixed number of requests goes round, each waiting for a prompt replica as in
/// an M/D/1 queue: the waits slow the rate until both agree.
ClosedLoop closed_loop(double requests, double servers, double prompt, double round) {
    const auto wait_at = [&](double rate) {
        const double load = rate * prompt / servers;
        return load < 1 ? load / (2 * (1 - load)) * prompt : 1e9;
    };
    double low = 0;
    double high = std::min(servers / prompt, requests / round);
    for (int i = 0; i < 50; ++i) {
        const double rate = (low + high) / 2;
        (requests / (round + wait_at(rate)) > rate ? low : high) = rate;
    }
    return {low, wait_at(low)};
}

}  // namespace

Seconds cache_transfer(const EstimateInput& input) {
    const Serving& serving = *input.workload.serving;
    const double bytes =
        kv_cache_bytes(input.architecture, input.workload.plan,
                       bytes_per_element(input.workload.kv_cache), serving.input_tokens);
    const Cluster& cluster = input.cluster;
    const Link& link = cluster.count > cluster.per_node ? cluster.inter : cluster.intra;
    return link.rate.base() > 0 ? Seconds::of_base(bytes / link.rate.base()) : Seconds{};
}

std::optional<Disaggregation> disaggregate(const EstimateInput& input) {
    const int replicas = input.workload.plan.data;
    const auto& serving = input.workload.serving;
    if (replicas < 2 || !serving || serving->phase != ServingPhase::end_to_end ||
        serving->input_tokens <= 0 || serving->output_tokens <= 0) {
        return std::nullopt;
    }
    const Workload prompt = replica(input.workload, ServingPhase::prefill, 1);
    const Seconds alone = inference_time(input.with(prompt)).ttft;
    const Seconds sent = cache_transfer(input);
    std::optional<Disaggregation> best;
    for (int prompts = 1; prompts < replicas; ++prompts) {
        const int decodes = replicas - prompts;
        const double each = std::max(1.0, std::ceil(serving->concurrency / decodes));
        const Workload decode = replica(input.workload, ServingPhase::decode, each);
        if (!estimate_serving_memory(input.with(decode)).fits) {
            continue;
        }
        const Seconds tpot = inference_time(input.with(decode)).tpot;
        // All requests are somewhere: in a prompt, on the way, or decoding.
        const Seconds host = input.software.engine.request_overhead;
        const Seconds round = host + alone + sent + serving->output_tokens * tpot;
        const ClosedLoop loop =
            closed_loop(serving->concurrency, prompts, alone.base(), round.base());
        const double rate = loop.rate;
        const Seconds wait = Seconds::of_base(loop.wait);
        const Disaggregation split{.prompt_replicas = prompts,
                                   .decode_replicas = decodes,
                                   .ttft = host + wait + alone + sent,
                                   .tpot = tpot,
                                   .transfer = sent,
                                   .requests_per_second = rate};
        const bool more = !best || rate > 1.001 * best->requests_per_second;
        const bool equal = best && rate >= 0.999 * best->requests_per_second;
        if (more || (equal && split.ttft < best->ttft)) {
            best = split;
        }
    }
    return best;
}

}  // namespace ridgeline
