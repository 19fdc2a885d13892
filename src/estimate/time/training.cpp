#include "estimate/time/training.h"

#include "estimate/families/transformer/transformer.h"
#include "estimate/time/collective.h"
#include "estimate/time/data_parallel.h"
#include "estimate/time/device.h"
#include "estimate/time/input_pipeline.h"
#include "estimate/uncertainty.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ridgeline {
namespace {

/// The parts of a step, for an answer that shows them.
struct Parts {
    std::vector<TimeComponent> components;
    void add(std::string_view name, double seconds, Bound bound) {
        if (seconds > 0) {
            components.push_back({name, Seconds::of_base(seconds), bound});
        }
    }
};

/// Their sums alone, for a search that compares many plans.
struct Sums {
    StepTotals totals;
    void add(std::string_view /*name*/, double seconds, Bound bound) {
        if (seconds > 0) {
            totals.step += seconds;
            totals.waiting += waits(bound) ? seconds : 0;
        }
    }
};

using LayerShares = std::array<double, std::tuple_size_v<decltype(LayerKinds::count)>>;

/// Layers of each kind in the chunks of one stage.
LayerShares kinds_of_stage(const TransformerStack& tower, const Plan& plan, int stage) {
    LayerShares count{};
    const int chunks = plan.pipeline * std::max(1, plan.virtual_pipeline);
    for (int chunk = stage; chunk < chunks; chunk += plan.pipeline) {
        const ChunkLayers layers = chunk_layers(tower.layers, plan, chunk);
        const LayerKinds kinds = layer_kinds(tower, layers.begin, layers.end);
        for (std::size_t kind = 0; kind < count.size(); ++kind) {
            count[kind] += kinds.count[kind];
        }
    }
    return count;
}

double repeats_in_stage(const Block& block, const Plan& plan, int stage, const LayerShares& kinds) {
    switch (block.position) {
        case Block::Position::first:
            return stage == 0 ? 1 : 0;
        case Block::Position::last:
            return stage == plan.pipeline - 1 ? 1 : 0;
        case Block::Position::layer:
            break;
    }
    return block.kind >= 0 ? kinds[static_cast<std::size_t>(block.kind)]
                           : static_cast<double>(block.repeat) / plan.pipeline;
}

Work stage_work(const std::vector<Work>& works, const std::vector<double>& repeats) {
    Work work;
    for (std::size_t i = 0; i < works.size(); ++i) {
        if (repeats[i] > 0) {
            work += works[i] * repeats[i];
        }
    }
    return work;
}

/// Activations to the next stage and gradients back, for each micro-batch and chunk; interleaved
/// schedules overlap them with the other chunks' work, but for those that fill and drain the
/// pipeline and for what the links need longer than that work takes.
double transfer_time(const EstimateInput& input, const LinkModel& links, const PipelineWork& work) {
    const Plan& plan = input.workload.plan;
    if (plan.pipeline <= 1) {
        return 0;
    }
    // All stages go at the pace of the slowest message: that of two stages on different nodes, if
    // there are such.
    const int ranks = plan.tensor * plan.data * plan.context * plan.pipeline;
    const int per_node = ranks <= input.cluster.per_node ? 2 : 1;
    const double once = collective_time(links, Collective::point_to_point,
                                        Bytes::of_base(work.residual_bytes), 2, per_node)
                            .time.base();
    const double v = std::max(1, plan.virtual_pipeline);
    const double m = micro_batches(input.workload);
    const double all = 2 * once * m * v;
    if (v <= 1) {
        return all;
    }
    return 2 * once * (plan.pipeline - 1) + std::max(0.0, all - m * work.slowest_seconds);
}

Bound bound_of(const PassTime& pass) {
    return pass.compute_bound > 0.5 * pass.device ? Bound::compute : Bound::memory;
}

/// Adds the passes of one step to the ledger.
template <typename Ledger>
void add_passes(Ledger& parts, const EstimateInput& input, const LinkModel& links,
                const PipelineWork& work) {
    const double m = micro_batches(input.workload);
    const Work& slowest = work.slowest;
    const BlockTime& block = slowest.block;
    const PipelineTime pipeline =
        pipeline_time(work.slowest_seconds, work.all_stages_seconds, m, input.workload.plan);
    parts.add("forward", m * block.forward.device, bound_of(block.forward));
    parts.add("backward", m * block.backward.device, bound_of(block.backward));
    parts.add("recompute", m * block.recompute.device, bound_of(block.recompute));
    parts.add("quantize operands", m * block.quantize.device, Bound::memory);
    parts.add("dequantize weights", m * block.dequantize.device, Bound::memory);
    parts.add("tensor parallel", m * slowest.exchange.tensor, Bound::communication);
    parts.add("context parallel", m * slowest.exchange.context, Bound::communication);
    parts.add("expert parallel", m * slowest.exchange.expert, Bound::communication);
    const double host = work.slowest_seconds - slowest.device() - slowest.exchange.total();
    parts.add("host launches", m * host, Bound::overhead);
    parts.add("pipeline bubble", pipeline.bubble, Bound::communication);
    parts.add("pipeline transfer", transfer_time(input, links, work), Bound::communication);
}

/// Adds what comes beside the passes, and returns the worst tier of its collectives.
template <typename Ledger>
Tier add_rest(Ledger& parts, const EstimateInput& input, const LinkModel& links,
              const PipelineWork& work) {
    const double m = micro_batches(input.workload);
    const Work& slowest = work.slowest;
    const BlockTime& block = slowest.block;
    const RankParameters rank{.dense = block.parameters,
                              .expert = block.expert_parameters,
                              .dense_trained = block.trained,
                              .expert_trained = block.expert_trained,
                              .layers = work.slowest_layers};
    // A host that waits for results of a layer asks for the weights of the next one behind it.
    const bool waits = block.held > 0;
    const Windows windows{
        .forward = waits ? 0 : block.forward.device + slowest.exchange.total() / 2,
        .backward = block.backward.device + block.recompute.device + slowest.exchange.total() / 2,
        .micro_batches = m};
    const DataParallelTime data = data_parallel_time(input, links, rank, windows);
    parts.add("data parallel", data.exposed, Bound::communication);
    const double beside = data.total - data.exposed + m * slowest.exchange.hidden;
    parts.add("kernels beside collectives", beside * (1 / input.device.beside_collectives - 1),
              Bound::communication);
    parts.add("optimizer", optimizer_time(input, rank), Bound::memory);
    parts.add("offload", offload_time(input, rank, m), Bound::input);
    parts.add("drive of the offload", drive_time(input, rank, m), Bound::input);
    parts.add("activation offload", activation_offload_time(input, slowest.kept, windows),
              Bound::input);
    return data.worst_tier;
}

/// Rates, shares and ranges from the parts of the step.
TimeEstimate summarized(std::vector<TimeComponent> components, const EstimateInput& input,
                        const PipelineWork& work) {
    TimeEstimate result;
    result.components = std::move(components);
    const Workload& workload = input.workload;
    double step = 0;
    double compute_bound = 0;
    std::array<double, 5> by_bound{};
    for (const TimeComponent& component : result.components) {
        step += component.time.base();
        by_bound[static_cast<std::size_t>(component.bound)] += component.time.base();
    }
    const BlockTime& block = work.slowest.block;
    const double m = micro_batches(workload);
    compute_bound = m * (block.forward.compute_bound + block.backward.compute_bound +
                         block.recompute.compute_bound);
    result.step = Seconds::of_base(step);
    result.bound =
        static_cast<Bound>(std::max_element(by_bound.begin(), by_bound.end()) - by_bound.begin());
    if (step <= 0) {
        return result;
    }
    const double samples = workload.batch.global;
    const double tokens = samples * workload.sequences() * workload.batch.sequence_length;
    result.samples_per_second = samples / step;
    const bool counts_samples =
        input.architecture.reads_images() || input.architecture.reads_sound();
    result.tokens_per_second = counts_samples ? 0 : tokens / step;
    result.compute_bound_share = compute_bound / step;
    // One rank's share of one micro-batch, times the ranks that share it and the micro-batches.
    const double all_ranks = static_cast<double>(workload.plan.tensor) * workload.plan.context;
    const double passes = samples / workload.batch.micro;
    const double peak = input.device.peak_of(workload.compute).base() * input.cluster.count;
    if (peak > 0) {
        result.mfu = work.model_flops * all_ranks * passes / (peak * step);
    }
    if (workload.duration_tokens && tokens > 0) {
        result.total = Seconds::of_base(std::ceil(*workload.duration_tokens / tokens) * step);
    } else if (workload.duration_samples && workload.batch.global > 0) {
        // A pass over images: each is one sequence.
        result.total =
            Seconds::of_base(std::ceil(*workload.duration_samples / workload.batch.global) * step);
    }
    result.band = band_on_part(input.calibration, *input.cluster.accelerator, training_kind(input));
    return result;
}

/// Of each stage only what differs from the stage before: most stages of a pipeline are equal.
PipelineWork slowest_stage(const PipelineShape& shape, const std::vector<Work>& works,
                           double per_launch) {
    PipelineWork result;
    for (const PipelineShape::Stages& stages : shape.stages) {
        const Work work = stage_work(works, stages.repeats);
        const double seconds = work.seconds(per_launch);
        for (int i = 0; i < stages.count; ++i) {
            result.all_stages_seconds += seconds;
        }
        if (&stages == &shape.stages.front() || seconds > result.slowest_seconds) {
            result.slowest_seconds = seconds;
            result.slowest = work;
        }
    }
    return result;
}

}  // namespace

double host_per_launch(const EstimateInput& input) {
    return input.software.runtime.options.launch_per_kernel.base();
}

bool waits(Bound bound) { return bound != Bound::compute && bound != Bound::memory; }

PipelineShape pipeline_shape(const EstimateInput& input, const OperatorList& list) {
    const Plan& plan = input.workload.plan;
    const TransformerStack& tower = input.architecture.text();
    PipelineShape shape;
    shape.layers = std::max(1.0, static_cast<double>(std::max(1, tower.layers)) / plan.pipeline);
    for (int stage = 0; stage < plan.pipeline; ++stage) {
        const LayerShares kinds = kinds_of_stage(tower, plan, stage);
        std::vector<double> repeats;
        repeats.reserve(list.size());
        for (const Block& block : list) {
            repeats.push_back(plan.pipeline > 1 ? repeats_in_stage(block, plan, stage, kinds)
                                                : block.repeat);
        }
        if (shape.stages.empty() || shape.stages.back().repeats != repeats) {
            shape.stages.push_back({.repeats = std::move(repeats), .count = 0});
        }
        ++shape.stages.back().count;
    }
    return shape;
}

std::vector<Work> mixed_works(const EstimateInput& input, const OperatorList& list,
                              const std::vector<Work>& kept, const std::vector<Work>& full) {
    // So many layers of each stage recompute fully, the others not at all.
    const Plan& plan = input.workload.plan;
    const double layers = std::max(1, input.architecture.text().layers);
    const double share = std::min(1.0, plan.full_recompute_layers * plan.pipeline / layers);
    std::vector<Work> works = kept;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (list[i].position == Block::Position::layer) {
            works[i] = kept[i] * (1 - share);
            works[i] += full[i] * share;
        }
    }
    return works;
}

PipelineWork pipeline_work(const EstimateInput& input, const OperatorList& list,
                           const PipelineShape& shape, const std::vector<Work>& works) {
    PipelineWork result = slowest_stage(shape, works, host_per_launch(input));
    result.slowest_layers = shape.layers;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const Block& block = list[i];
        if (block.position == Block::Position::layer && block.input >= 0) {
            result.residual_bytes =
                block.tensors[static_cast<std::size_t>(block.input)].size.base();
        }
        result.model_flops += works[i].block.model_flops * block.repeat;
        result.worst_tier = std::max(result.worst_tier, works[i].block.worst_tier);
    }
    return result;
}

StepTotals step_totals(const EstimateInput& input, const LinkModel& links, const PipelineWork& work,
                       const StepTotals& passes) {
    Sums sums{passes};
    add_rest(sums, input, links, work);
    return sums.totals;
}

StepTotals passes_totals(const EstimateInput& input, const LinkModel& links,
                         const PipelineWork& work) {
    Sums sums;
    add_passes(sums, input, links, work);
    return sums.totals;
}

TimeEstimate training_time(const EstimateInput& input, const LinkModel& links,
                           const PipelineWork& work) {
    Parts parts;
    parts.components.reserve(15);
    add_passes(parts, input, links, work);
    const Tier tier = add_rest(parts, input, links, work);
    double step = 0;
    for (const TimeComponent& component : parts.components) {
        step += component.time.base();
    }
    parts.add("wait for input", input_time(input.workload, input.cluster).base() - step,
              Bound::input);
    TimeEstimate result = summarized(std::move(parts.components), input, work);
    result.worst_tier = std::max(work.worst_tier, tier);
    return result;
}

TimeEstimate training_time(const EstimateInput& input) {
    if (input.links == nullptr) {
        const LinkModel links = link_model(input.cluster, input.calibration);
        EstimateInput linked = input;
        linked.links = &links;
        return training_time(linked);
    }
    const LinkModel& links = *input.links;
    const OperatorList list =
        training_operators(input.architecture, input.workload, input.software);
    const Plan& plan = input.workload.plan;
    const auto works = [&](RecomputeMode mode) { return works_of(input, links, list, mode); };
    const std::vector<Work> all =
        plan.full_recompute_layers < 0
            ? works(plan.recompute)
            : mixed_works(input, list, works(RecomputeMode::none), works(RecomputeMode::full));
    return training_time(input, links,
                         pipeline_work(input, list, pipeline_shape(input, list), all));
}

}  // namespace ridgeline
