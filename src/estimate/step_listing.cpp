#include "estimate/step_listing.h"

#include "estimate/families/families.h"
#include "estimate/memory/program_memory.h"
#include "estimate/memory/training_peak.h"
#include "estimate/stacks/network_script.h"
#include "estimate/stacks/pipeline.h"
#include "estimate/time/block_time.h"
#include "estimate/time/collective.h"
#include "estimate/time/pass_cost.h"
#include "estimate/time/timeline.h"
#include "estimate/work/operator.h"

#include <algorithm>
#include <array>
#include <map>

namespace ridgeline {
namespace {

constexpr std::size_t phases = 4;

/// Seconds of each operator of a list, by the phase that it runs in.
using OperatorSeconds = std::map<const Operator*, std::array<double, phases>>;

std::size_t slot_of(Phase phase) { return static_cast<std::size_t>(phase); }

OperatorSeconds operator_seconds(const EstimateInput& input, const OperatorList& list) {
    const Plan& plan = input.workload.plan;
    const RecomputeMode layers =
        plan.full_recompute_layers > 0 ? RecomputeMode::full : plan.recompute;
    OperatorSeconds seconds;
    for (const Block& block : list) {
        OperatorLog log;
        const bool layer = block.position == Block::Position::layer;
        time_block(block, input, layer ? layers : RecomputeMode::none, &log);
        for (const TimedOperator& timed : log) {
            auto& of = seconds[&block.operators[static_cast<std::size_t>(timed.index)]];
            if (timed.phase == "forward") {
                of[slot_of(Phase::forward)] += timed.seconds;
            } else if (timed.phase == "backward") {
                of[slot_of(Phase::backward)] += timed.seconds;
            } else if (timed.phase == "recompute") {
                of[slot_of(Phase::again)] += timed.seconds;
            } else {
                // Casts and expansions of operands are logged for both passes together.
                of[slot_of(Phase::forward)] += timed.seconds / 2;
                of[slot_of(Phase::backward)] += timed.seconds / 2;
            }
        }
    }
    return seconds;
}

/// First event of the last micro-batch.
std::size_t last_micro_batch(const std::vector<ListedEvent>& events) {
    std::size_t first = 0;
    for (std::size_t i = 0; i < events.size(); ++i) {
        first = events[i].kind == Event::Kind::mark && events[i].what == "forward" ? i : first;
    }
    return first;
}

double micro_batches_in(const std::vector<ListedEvent>& events) {
    return static_cast<double>(std::ranges::count_if(events, [](const ListedEvent& event) {
        return event.kind == Event::Kind::mark && event.what == "forward";
    }));
}

Seconds begin_of(const std::vector<ListedEvent>& events, std::size_t first) {
    for (std::size_t i = first; i < events.size(); ++i) {
        if (events[i].seconds > Seconds{}) {
            return events[i].begin;
        }
    }
    return Seconds{};
}

Seconds exchange_seconds(const EstimateInput& input, const Script& script, const Event& event) {
    if (event.kind != Event::Kind::collective) {
        return Seconds{};
    }
    const LinkModel links =
        input.links != nullptr ? *input.links : link_model(input.cluster, input.calibration);
    const GroupExchange& exchange = script.exchanges[static_cast<std::size_t>(event.item)];
    const int node = std::min(input.cluster.per_node, exchange.ranks);
    return collective_time(links, exchange.kind, event.bytes, exchange.ranks, node).time;
}

/// The rows of two steps that were played, of which the last micro-batch and the optimizer's step
/// stay.
StepListing listed(const EstimateInput& input, const Script& script, const EventSeconds& seconds) {
    const Timeline time = timeline(script, seconds, true);
    StepListing step;
    step.events = listing(script, &time);
    const double played = std::max(1.0, micro_batches_in(step.events));
    const std::size_t first = last_micro_batch(step.events);
    const Seconds begin = begin_of(step.events, first);
    step.events.erase(step.events.begin(),
                      step.events.begin() + static_cast<std::ptrdiff_t>(first));
    for (ListedEvent& event : step.events) {
        event.begin = std::max(Seconds{}, event.begin - begin);
    }
    step.micro_batches = micro_batches(input.workload);
    step.total = time.total / played;
    step.computing = time.busy[0] / played;
    for (std::size_t i = 1; i < streams; ++i) {
        step.exchanging += time.busy[i] / played;
        step.waited += time.waited[i] / played;
    }
    return step;
}

std::optional<StepListing> language_model_step(const EstimateInput& input) {
    const OperatorList list =
        training_operators(input.architecture, input.workload, input.software);
    const std::vector<BlockMemory> blocks = block_memories(input, list);
    const auto script = training_script(input, memory_stages(input, list, blocks));
    if (!script) {
        return std::nullopt;
    }
    const OperatorSeconds operators = operator_seconds(input, list);
    return listed(input, *script, [&](const Script& of, const Event& event) {
        const auto item = static_cast<std::size_t>(event.item);
        if (event.kind == Event::Kind::run) {
            const auto known = operators.find(of.runs[item].op);
            return Seconds::of_base(
                known == operators.end() ? 0 : known->second[slot_of(of.runs[item].phase)]);
        }
        return exchange_seconds(input, of, event);
    });
}

std::optional<StepListing> network_step(const EstimateInput& input) {
    const Program program = program_of(input.architecture, input.workload, input.software);
    if (!exchanges_whole(input, program)) {
        return std::nullopt;
    }
    return listed(input, program_script(input, program), [&](const Script& of, const Event& event) {
        if (event.kind == Event::Kind::run) {
            const Run& run = of.runs[static_cast<std::size_t>(event.item)];
            return operator_time(input, *run.op, run.phase == Phase::backward, false);
        }
        return exchange_seconds(input, of, event);
    });
}

}  // namespace

std::optional<StepListing> step_listing(const EstimateInput& input) {
    if (input.workload.task != Task::train) {
        return std::nullopt;
    }
    return has_program(input.architecture) ? network_step(input) : language_model_step(input);
}

}  // namespace ridgeline
