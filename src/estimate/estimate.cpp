#include "estimate/estimate.h"

#include "base/text.h"
#include "estimate/completed.h"
#include "estimate/families/families.h"
#include "estimate/memory/counters.h"
#include "estimate/memory/program_memory.h"
#include "estimate/money/long_run.h"
#include "estimate/preference/preference.h"
#include "estimate/serving/inference.h"
#include "estimate/serving/served_load.h"
#include "estimate/serving/serving_memory.h"
#include "estimate/time/program_time.h"
#include "estimate/time/training.h"
#include "estimate/uncertainty.h"
#include "spec/graph.h"

#include <fmt/format.h>

#include <utility>

namespace ridgeline {
namespace {

std::string_view class_label(OperatorClass operator_class) {
    switch (operator_class) {
        case OperatorClass::gemm:
            return "matrix products";
        case OperatorClass::grouped_gemm:
        case OperatorClass::fused_experts:
            return "expert products";
        case OperatorClass::attention_forward:
            return "attention, forward";
        case OperatorClass::attention_backward:
            return "attention, backward";
        case OperatorClass::attention_decode:
            return "attention, decode";
        case OperatorClass::streaming:
            return "streaming kernels";
        default:
            return name_of(operator_class);
    }
}

void add_efficiency(std::vector<Provenance>& list, const EstimateInput& input, ComputeType type,
                    OperatorClass operator_class) {
    const Efficiency found = input.device.of(type, operator_class);
    const bool products = found.compute_fraction > 0 &&
                          operator_class != OperatorClass::streaming &&
                          operator_class != OperatorClass::attention_decode;
    list.push_back(
        {.figure = fmt::format("efficiency of {} ({})", class_label(operator_class), name_of(type)),
         .value = products ? fmt::format("{:.2f} of the dense peak, {:.2f} of bandwidth",
                                         found.compute_fraction, found.bandwidth_fraction)
                           : fmt::format("{:.2f} of bandwidth", found.bandwidth_fraction),
         .tier = found.tier,
         .source = found.source,
         .date = found.date});
}

void add_band(std::vector<Provenance>& list, std::string_view figure, const Interval& band) {
    if (band.low <= 0 && band.high <= 0) {
        return;
    }
    const bool evidence = band.evidence_rows > 0;
    list.push_back({.figure = fmt::format("range of {}", figure),
                    .value = fmt::format("x{:.2f} to x{:.2f}", band.low, band.high),
                    .tier = evidence ? Tier::published : Tier::assumed,
                    .source = evidence ? fmt::format("residuals of {} published rows ({})",
                                                     band.evidence_rows, band.kind)
                                       : "no evidence of this kind",
                    .date = ""});
}

void add_catalog(std::vector<Provenance>& list, const Accelerator& part, ComputeType type) {
    const auto source_of = [&](std::string_view field) {
        for (const FieldSource& entry : part.field_sources) {
            if (contains(entry.field, field) && !entry.sources.empty()) {
                return entry.sources.front();
            }
        }
        return std::string("catalog");
    };
    const auto add = [&](std::string figure, std::string value, std::string_view field) {
        const std::string source = source_of(field);
        // The entry of a probed CPU says so itself.
        const Tier tier = source.starts_with("measured") ? Tier::measured : Tier::published;
        list.push_back({.figure = std::move(figure),
                        .value = std::move(value),
                        .tier = tier,
                        .source = source,
                        .date = ""});
    };
    add("memory capacity", fmt::format("{:.2f} GiB", part.capacity() / gibibyte), "memory");
    if (!part.visible_memory || part.visible_memory_assumed) {
        list.back().tier = Tier::assumed;
    }
    add("memory bandwidth", fmt::format("{:.0f} GB/s", part.memory_bandwidth / gigabyte_per_second),
        "bandwidth");
    if (const auto peak = part.peak(type)) {
        const double rate = *peak / teraflop_per_second;
        add(fmt::format("dense peak ({})", name_of(type)),
            rate < 10 ? fmt::format("{:.2g} TFLOP/s", rate) : fmt::format("{:.0f} TFLOP/s", rate),
            "peak");
    }
}

TimeEstimate time_of(const EstimateInput& input, const Program& program,
                     const MemoryEstimate& held) {
    TimeEstimate time = program_time(input, program, held);
    add_long_run(input, false, time);
    return time;
}

}  // namespace

MemoryEstimate estimate_memory(const EstimateInput& input) {
    if (has_program(input.architecture)) {
        return program_memory(input);
    }
    if (input.workload.task == Task::inference) {
        return estimate_serving_memory(input);
    }
    if (input.workload.preference) {
        return preference_memory(input);
    }
    const OperatorList list =
        training_operators(input.architecture, input.workload, input.software);
    const std::vector<BlockMemory> blocks = block_memories(input, list);
    return estimate_training_memory(input, memory_stages(input, list, blocks));
}

TimeEstimate estimate_time(const EstimateInput& input) {
    if (has_program(input.architecture)) {
        const std::shared_ptr<const Program> program = listed_program(input);
        return time_of(input, *program,
                       streams_weights(input) ? program_memory(input, *program) : MemoryEstimate{});
    }
    if (input.workload.task != Task::train) {
        return inference_time(input);
    }
    TimeEstimate time = input.workload.preference ? preference_time(input) : training_time(input);
    add_long_run(input, false, time);
    return time;
}

Estimate estimate(const EstimateInput& input, const Offer* offer) {
    if (has_program(input.architecture)) {
        const std::shared_ptr<const Program> program = listed_program(input);
        const MemoryEstimate held = program_memory(input, *program);
        return completed_estimate(input, offer, held, time_of(input, *program, held));
    }
    return completed_estimate(input, offer, estimate_memory(input), estimate_time(input));
}

namespace {

/// Memory with the cache that the simulated requests fill: of those that come at a rate nobody
/// says how many there are at once.
void fill_cache(const EstimateInput& input, Estimate& result) {
    const auto& serving = input.workload.serving;
    if (!result.time.load || !serving || serving->request_rate <= 0 || !result.memory.fits) {
        return;
    }
    const double replicas = std::max(1, input.workload.plan.data);
    const double each = serving->input_tokens + serving->output_tokens;
    double filled = std::floor(result.time.load->fullest_cache / each) * replicas;
    Workload workload = input.workload;
    constexpr double fewer = 0.97;  // what decodes beside them takes of their room
    for (; filled > serving->concurrency; filled = std::floor(fewer * filled)) {
        workload.serving->concurrency = filled;
        MemoryEstimate memory = estimate_memory(input.with(workload));
        if (memory.fits) {
            result.memory = std::move(memory);
            return;
        }
    }
}

}  // namespace

Estimate completed_estimate(const EstimateInput& input, const Offer* offer, MemoryEstimate memory,
                            TimeEstimate time) {
    Estimate result;
    result.memory = std::move(memory);
    result.time = std::move(time);
    add_load(result.time, input);
    fill_cache(input, result);
    if (offer != nullptr && offer->kind == PriceKind::spot) {
        add_long_run(input, true, result.time);
    }
    const GraphNetwork* graph = input.architecture.graph.get();
    const bool guessed = graph != nullptr && !(graph->unknown.empty() && graph->uncounted.empty());
    if (!input.architecture.assumed_family.empty() || guessed) {
        // No evidence speaks about a family or an operator that nobody has read.
        result.memory.band = assumed_band;
        result.time.band = assumed_band;
    }
    result.cost = estimate_cost(input, result.time, offer);
    return result;
}

std::vector<Provenance> provenance_of(const EstimateInput& input, const Estimate& estimate) {
    std::vector<Provenance> list;
    const ComputeType type = input.device.runs_as[static_cast<std::size_t>(input.workload.compute)];
    add_catalog(list, *input.device.accelerator, type);
    add_efficiency(list, input, type, OperatorClass::gemm);
    if (!input.architecture.stacks.empty() && input.architecture.text().moe) {
        const auto fused = static_cast<std::size_t>(OperatorClass::fused_experts);
        const bool serves = input.workload.task == Task::inference &&
                            input.device.rows[static_cast<std::size_t>(type)][fused] != nullptr;
        add_efficiency(list, input, type,
                       serves ? OperatorClass::fused_experts : OperatorClass::grouped_gemm);
    }
    if (input.workload.task == Task::train) {
        add_efficiency(list, input, ComputeType::bf16, OperatorClass::attention_forward);
        add_efficiency(list, input, ComputeType::bf16, OperatorClass::attention_backward);
    } else {
        add_efficiency(list, input, ComputeType::bf16, OperatorClass::attention_decode);
    }
    add_efficiency(list, input, ComputeType::bf16, OperatorClass::streaming);
    add_band(list, "memory", estimate.memory.band);
    add_band(list, "time", estimate.time.band);
    if (const auto& offer = estimate.cost.offer) {
        list.push_back({.figure = "price",
                        .value = fmt::format("${:.2f} an hour for {} accelerators ({})",
                                             offer->usd_per_hour, offer->count, offer->provider),
                        .tier = Tier::published,
                        .source = offer->source,
                        .date = offer->date});
    }
    return list;
}

}  // namespace ridgeline
