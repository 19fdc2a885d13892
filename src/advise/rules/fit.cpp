#include "advise/rules/rule.h"
#include "estimate/serving/waiting.h"

#include <fmt/format.h>

namespace ridgeline::rule {
namespace {

constexpr double least_headroom = 0.05;

double gib(Bytes size) { return size / gibibyte; }

}  // namespace

Found does_not_fit(const RuleContext& c) {
    const MemoryEstimate& memory = c.estimate.memory;
    // A host that is too small has a rule of its own.
    if (memory.fits || memory.headroom() >= Bytes{}) {
        return {};
    }
    // Of the card, what the runtime's memory fraction leaves unused is not there.
    const Bytes room = memory.capacity - memory.unclaimed;
    const Bytes short_by = memory.process - room;
    const std::string_view instant =
        memory.instants.empty() ? "load" : memory.instants[memory.peak_instant].name;
    return finding("does_not_fit", Severity::error,
                   fmt::format("needs {:.1f} GiB on each accelerator (at {}), has {:.1f}: short by "
                               "{:.1f} GiB",
                               gib(memory.process), instant, gib(room), gib(short_by)),
                   {{"needed_gib", gib(memory.process)},
                    {"capacity_gib", gib(room)},
                    {"shortfall_gib", gib(short_by)}},
                   "memory model");
}

Found tight_headroom(const RuleContext& c) {
    const MemoryEstimate& memory = c.estimate.memory;
    const double share = memory.headroom() / memory.capacity;
    // A server that claims a fixed share of the card leaves little by design.
    const bool by_design = c.software != nullptr && c.software->engine.lets_requests_wait() &&
                           c.workload.task == Task::inference;
    if (!memory.fits || by_design || share >= least_headroom) {
        return {};
    }
    return finding("tight_headroom", Severity::warning,
                   fmt::format("only {:.1f} GiB ({:.1f} %) stay free: fragmentation or one longer "
                               "batch may end the run",
                               gib(memory.headroom()), 100 * share),
                   {{"headroom_gib", gib(memory.headroom())}, {"headroom_percent", 100 * share}},
                   "memory model");
}

Found requests_wait(const RuleContext& c) {
    const MemoryEstimate& memory = c.estimate.memory;
    if (!memory.fits || c.workload.task != Task::inference || !c.workload.serving) {
        return {};
    }
    // At a rate that is served, so many never come together.
    const auto& load = c.estimate.time.load;
    if (c.workload.serving->request_rate > 0 && load && !load->sustained) {
        return {};
    }
    const double running = running_requests(memory, c.workload);
    const double all = c.workload.serving->concurrency;
    if (running >= all) {
        return {};
    }
    return finding(
        "requests_wait", Severity::warning,
        fmt::format("{:.0f} of the {:.0f} requests run at once, the others wait: the cache "
                    "has room for no more of their full length",
                    running, all),
        {{"running", running}, {"requests", all}}, "memory model");
}

Found queue_grows(const RuleContext& c) {
    const auto& load = c.estimate.time.load;
    if (!load || !load->sustained || !c.workload.serving) {
        return {};
    }
    const double asked = c.workload.serving->request_rate;
    return finding("queue_grows", Severity::error,
                   fmt::format("{:.3g} requests/s come and {:.3g} are served: the queue grows "
                               "without end, the waiting times are of {} requests",
                               asked, *load->sustained, load->requests),
                   {{"requests_per_s", asked}, {"served_per_s", *load->sustained}},
                   "simulated scheduler");
}

Found memory_may_exceed(const RuleContext& c) {
    const MemoryEstimate& memory = c.estimate.memory;
    const double high = gib(memory.process) * memory.band.high;
    // An assumed band is no evidence: interval_without_evidence speaks of it.
    if (!memory.fits || memory.band.evidence_rows == 0 || memory.band.high <= 1 ||
        high <= gib(memory.capacity)) {
        return {};
    }
    return finding(
        "memory_may_exceed", Severity::warning,
        fmt::format("the high end of the estimate, {:.1f} GiB, exceeds the {:.1f} GiB of "
                    "the part",
                    high, gib(memory.capacity)),
        {{"high_gib", high}, {"capacity_gib", gib(memory.capacity)}}, "spread of measured memory");
}

Found batch_too_large(const RuleContext& c) {
    const MemoryEstimate& memory = c.estimate.memory;
    const Batch& batch = c.workload.batch;
    if (memory.fits || c.workload.task != Task::train || batch.micro < 2) {
        return {};
    }
    const int passes = batch.global / std::max(1, c.workload.plan.data);
    return finding("batch_too_large", Severity::info,
                   fmt::format("{} samples a pass are in memory at once: a micro-batch of 1 with "
                               "gradients accumulated over {} passes makes the same step",
                               batch.micro, passes),
                   {{"micro_batch", static_cast<double>(batch.micro)},
                    {"passes", static_cast<double>(passes)}},
                   "memory model: activations grow with the micro-batch");
}

}  // namespace ridgeline::rule
