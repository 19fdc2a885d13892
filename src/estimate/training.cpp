#include "estimate/training.h"

#include "estimate/block_time.h"
#include "estimate/collective.h"
#include "estimate/data_parallel.h"
#include "estimate/pipeline.h"
#include "estimate/transformer.h"
#include "estimate/uncertainty.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ridgeline {
namespace {

/// Collectives inside the layers of one stage for one micro-batch, seconds that stay visible.
struct Exchange {
    double tensor = 0;
    double context = 0;
    double expert = 0;
    double hidden = 0;  ///< runs beside kernels and slows them
    Exchange& operator+=(const Exchange& other) {
        tensor += other.tensor;
        context += other.context;
        expert += other.expert;
        hidden += other.hidden;
        return *this;
    }
    friend Exchange operator*(Exchange e, double factor) {
        return {e.tensor * factor, e.context * factor, e.expert * factor, e.hidden * factor};
    }
    [[nodiscard]] double total() const { return tensor + context + expert; }
};

/// Kernels and exchanges of some layers for one micro-batch.
struct Work {
    BlockTime block;
    Exchange exchange;
    Work& operator+=(const Work& other) {
        block += other.block;
        exchange += other.exchange;
        return *this;
    }
    [[nodiscard]] double device() const {
        return block.forward.device + block.backward.device + block.recompute.device +
               block.quantize.device + block.dequantize.device;
    }
    [[nodiscard]] double launches() const {
        return block.forward.launches + block.backward.launches + block.recompute.launches +
               block.quantize.launches + block.dequantize.launches;
    }
    /// Device and host together: the host's launches are hidden unless they take longer.
    [[nodiscard]] double seconds(double host_per_launch) const {
        return std::max(device() + exchange.total(), launches() * host_per_launch);
    }
};

Work operator*(const Work& work, double factor) {
    return {work.block * factor, work.exchange * factor};
}

class Step {
public:
    explicit Step(const EstimateInput& input, const LinkModel& links)
        : input_(input), links_(links), plan_(input.workload.plan) {}

    TimeEstimate fold();

private:
    Work work_of(const Block& block, RecomputeMode recompute);
    Exchange exchange_of(const Block& block, const BlockTime& time, RecomputeMode recompute);
    double collective(Collective operation, double bytes, int ranks, int stride);
    void stages(const OperatorList& list);
    Work stage_work(const OperatorList& list, int stage) const;
    double copies_that_travel() const;
    double transfer_time() const;
    void add(std::string_view name, double seconds, Bound bound);
    void compose();
    void summarize();

    const EstimateInput& input_;
    const LinkModel& links_;
    const Plan& plan_;
    Tier worst_tier_ = Tier::measured;
    std::array<Work, 12> blocks_;  ///< of the list, in its order
    Work slowest_;                 ///< one micro-batch on the slowest stage
    double slowest_seconds_ = 0;
    double all_stages_seconds_ = 0;
    double slowest_layers_ = 1;
    double residual_bytes_ = 0;  ///< of the stream that passes between stages
    double model_flops_ = 0;     ///< one micro-batch, whole model, one rank's share
    double hardware_flops_ = 0;
    double host_per_launch_ = 0;
    TimeEstimate result_;
};

double Step::collective(Collective operation, double bytes, int ranks, int stride) {
    if (ranks <= 1 || bytes <= 0) {
        return 0;
    }
    const int per_node = std::clamp(input_.cluster.per_node / std::max(1, stride), 1, ranks);
    const CollectiveTime time =
        collective_time(links_, operation, Bytes::of_base(bytes), ranks, per_node);
    worst_tier_ = std::max(worst_tier_, time.tier);
    return time.time.base();
}

Exchange Step::exchange_of(const Block& block, const BlockTime& time, RecomputeMode recompute) {
    Exchange exchange;
    const bool repeated = recompute == RecomputeMode::full;
    if (block.tensor_parallel_messages > 0) {
        const double bytes = block.tensor_parallel_message.base();
        const double once = plan_.sequence_parallel
                                ? collective(Collective::all_gather, bytes, plan_.tensor, 1) +
                                      collective(Collective::reduce_scatter, bytes, plan_.tensor, 1)
                                : collective(Collective::all_reduce, bytes, plan_.tensor, 1);
        double total = once * block.tensor_parallel_messages * (repeated ? 3 : 2);
        if (plan_.sequence_parallel && input_.software.regathers_sequence) {
            // The weight gradient needs the gathered input, of which only the shard was kept.
            total += block.tensor_parallel_messages *
                     collective(Collective::all_gather, bytes, plan_.tensor, 1);
        }
        exchange.tensor = total;
        if (input_.software.overlaps_tensor_parallel) {
            // Split into one piece a rank and pipelined with the products: the first piece waits.
            const double piece = 1.0 / plan_.tensor;
            const double products = time.products_forward + time.products_backward;
            exchange.tensor = std::max(total * piece, total - products * (1 - piece));
            exchange.hidden += total - exchange.tensor;
        }
    }
    if (plan_.context > 1 && block.context_message.base() > 0) {
        // Ring attention: each rank passes keys and values on context - 1 times; the backward pass
        // returns their gradients too. Every hop hides behind the attention of the previous one.
        const double hop = collective(Collective::point_to_point,
                                      block.context_message.base(),
                                      2,
                                      plan_.tensor * (plan_.context > 2 ? 1 : 1));
        const double hops = plan_.context - 1;
        const double share = hops / plan_.context;
        exchange.context =
            std::max(0.0, hop * hops - time.attention_forward * share) * (repeated ? 2 : 1) +
            std::max(0.0, 2 * hop * hops - time.attention_backward * share);
    }
    if (block.expert_messages > 0) {
        const double once = collective(Collective::all_to_all,
                                       block.expert_message.base() * copies_that_travel(),
                                       plan_.expert,
                                       plan_.tensor);
        exchange.expert = once * block.expert_messages * (repeated ? 3 : 2);
    }
    return exchange;
}

/// Share of the routed copies of a token that an exchange moves: dispatchers that send a token once
/// to each node it is needed on save the copies for the other experts there.
double Step::copies_that_travel() const {
    const auto& moe = input_.architecture.text().moe;
    const double domain = std::max(1, links_.domain / std::max(1, plan_.tensor));
    const double nodes = plan_.expert / domain;
    if (!input_.software.dedupes_experts || !moe || nodes <= 1) {
        return 1;
    }
    const double chosen = moe->experts_per_token;
    const double reached = nodes * (1 - std::pow(1 - 1 / nodes, chosen));
    return std::min(1.0, reached / chosen);
}

Work Step::work_of(const Block& block, RecomputeMode recompute) {
    Work work;
    work.block = time_block(block, input_, recompute);
    work.exchange = exchange_of(block, work.block, recompute);
    worst_tier_ = std::max(worst_tier_, work.block.worst_tier);
    return work;
}

Work Step::stage_work(const OperatorList& list, int stage) const {
    Work work;
    std::array<double, 4> count{};
    const int chunks = plan_.pipeline * std::max(1, plan_.virtual_pipeline);
    const TransformerStack& stack = input_.architecture.text();
    for (int chunk = stage; plan_.pipeline > 1 && chunk < chunks; chunk += plan_.pipeline) {
        const ChunkLayers layers = chunk_layers(stack.layers, plan_, chunk);
        const LayerKinds kinds = layer_kinds(stack, layers.begin, layers.end);
        for (std::size_t kind = 0; kind < count.size(); ++kind) {
            count[kind] += kinds.count[kind];
        }
    }
    for (std::size_t i = 0; i < list.size(); ++i) {
        const Block& block = list[i];
        double repeat = block.repeat;
        if (plan_.pipeline > 1) {
            switch (block.position) {
                case Block::Position::first:
                    repeat = stage == 0 ? 1 : 0;
                    break;
                case Block::Position::last:
                    repeat = stage == plan_.pipeline - 1 ? 1 : 0;
                    break;
                case Block::Position::layer:
                    repeat = block.kind >= 0 ? count[static_cast<std::size_t>(block.kind)]
                                             : static_cast<double>(block.repeat) / plan_.pipeline;
                    break;
            }
        }
        if (repeat > 0) {
            work += blocks_[i] * repeat;
        }
    }
    return work;
}

void Step::stages(const OperatorList& list) {
    const double layers = std::max(1, input_.architecture.text().layers);
    for (std::size_t i = 0; i < list.size() && i < blocks_.size(); ++i) {
        const Block& block = list[i];
        const bool layer = block.position == Block::Position::layer;
        RecomputeMode recompute = layer ? plan_.recompute : RecomputeMode::none;
        blocks_[i] = work_of(block, recompute);
        if (layer && plan_.full_recompute_layers >= 0) {
            // So many layers of each stage recompute fully, the others not at all.
            const double share =
                std::min(1.0, plan_.full_recompute_layers * plan_.pipeline / layers);
            blocks_[i] = work_of(block, RecomputeMode::none) * (1 - share);
            blocks_[i] += work_of(block, RecomputeMode::full) * share;
        }
        if (layer && block.input >= 0) {
            residual_bytes_ = block.tensors[static_cast<std::size_t>(block.input)].size.base();
        }
        model_flops_ += blocks_[i].block.model_flops * block.repeat;
        hardware_flops_ += blocks_[i].block.hardware_flops * block.repeat;
    }
    for (int stage = 0; stage < plan_.pipeline; ++stage) {
        const Work work = stage_work(list, stage);
        const double seconds = work.seconds(host_per_launch_);
        all_stages_seconds_ += seconds;
        if (stage == 0 || seconds > slowest_seconds_) {
            slowest_seconds_ = seconds;
            slowest_ = work;
        }
    }
    slowest_layers_ = std::max(1.0, layers / plan_.pipeline);
}

/// Activations to the next stage and gradients back, for each micro-batch and chunk; interleaved
/// schedules overlap them with the other chunks' work.
double Step::transfer_time() const {
    if (plan_.pipeline <= 1) {
        return 0;
    }
    const int stride = plan_.tensor * plan_.data * plan_.context;
    const int per_node = stride < input_.cluster.per_node ? 2 : 1;
    const double once =
        collective_time(
            links_, Collective::point_to_point, Bytes::of_base(residual_bytes_), 2, per_node)
            .time.base();
    const double v = std::max(1, plan_.virtual_pipeline);
    const bool hidden = v > 1 && input_.software.overlaps_pipeline;
    const double visible = hidden ? plan_.pipeline - 1 : micro_batches(input_.workload) * v;
    return 2 * once * visible;
}

void Step::add(std::string_view name, double seconds, Bound bound) {
    if (seconds > 0) {
        result_.components.push_back({name, Seconds::of_base(seconds), bound});
    }
}

Bound bound_of(const PassTime& pass) {
    return pass.compute_bound > 0.5 * pass.device ? Bound::compute : Bound::memory;
}

void Step::compose() {
    const double m = micro_batches(input_.workload);
    const BlockTime& block = slowest_.block;
    const PipelineTime pipeline = pipeline_time(slowest_seconds_, all_stages_seconds_, m, plan_);
    result_.components.reserve(14);
    add("forward", m * block.forward.device, bound_of(block.forward));
    add("backward", m * block.backward.device, bound_of(block.backward));
    add("recompute", m * block.recompute.device, bound_of(block.recompute));
    add("quantize operands", m * block.quantize.device, Bound::memory);
    add("dequantize weights", m * block.dequantize.device, Bound::memory);
    add("tensor parallel", m * slowest_.exchange.tensor, Bound::communication);
    add("context parallel", m * slowest_.exchange.context, Bound::communication);
    add("expert parallel", m * slowest_.exchange.expert, Bound::communication);
    const double host = slowest_seconds_ - slowest_.device() - slowest_.exchange.total();
    add("host launches", m * host, Bound::overhead);
    add("pipeline bubble", pipeline.bubble, Bound::communication);
    add("pipeline transfer", transfer_time(), Bound::communication);

    const RankParameters rank{.dense = block.parameters,
                              .expert = block.expert_parameters,
                              .dense_trained = block.trained,
                              .expert_trained = block.expert_trained,
                              .layers = slowest_layers_};
    const Windows windows{
        .forward = block.forward.device + slowest_.exchange.total() / 2,
        .backward = block.backward.device + block.recompute.device + slowest_.exchange.total() / 2,
        .micro_batches = m};
    const DataParallelTime data = data_parallel_time(input_, links_, rank, windows);
    worst_tier_ = std::max(worst_tier_, data.worst_tier);
    add("data parallel", data.exposed, Bound::communication);
    const double beside = data.total - data.exposed + m * slowest_.exchange.hidden;
    add("kernels beside collectives",
        beside * (1 / input_.device.beside_collectives - 1),
        Bound::communication);
    add("optimizer", optimizer_time(input_, rank), Bound::memory);
    add("offload", offload_time(input_, rank, m), Bound::input);
}

void Step::summarize() {
    const Workload& workload = input_.workload;
    double step = 0;
    double compute_bound = 0;
    std::array<double, 5> by_bound{};
    for (const TimeComponent& component : result_.components) {
        step += component.time.base();
        by_bound[static_cast<std::size_t>(component.bound)] += component.time.base();
    }
    const BlockTime& block = slowest_.block;
    const double m = micro_batches(workload);
    compute_bound = m * (block.forward.compute_bound + block.backward.compute_bound +
                         block.recompute.compute_bound);
    result_.step = Seconds::of_base(step);
    result_.bound =
        static_cast<Bound>(std::max_element(by_bound.begin(), by_bound.end()) - by_bound.begin());
    if (step <= 0) {
        return;
    }
    const double samples = workload.batch.global;
    const double tokens = samples * workload.batch.sequence_length;
    result_.samples_per_second = samples / step;
    result_.tokens_per_second = tokens / step;
    result_.compute_bound_share = compute_bound / step;
    // One rank's share of one micro-batch, times the ranks that share it and the micro-batches.
    const double all_ranks = static_cast<double>(plan_.tensor) * plan_.context;
    const double passes = samples / workload.batch.micro;
    const double peak = input_.device.peak_of(workload.compute).base() * input_.cluster.count;
    if (peak > 0) {
        result_.mfu = model_flops_ * all_ranks * passes / (peak * step);
        result_.hfu = hardware_flops_ * all_ranks * passes / (peak * step);
    }
    if (workload.duration_tokens && tokens > 0) {
        result_.total = Seconds::of_base(std::ceil(*workload.duration_tokens / tokens) * step);
    }
    result_.worst_tier = worst_tier_;
    const std::string_view method = workload.method == Method::full   ? "full"
                                    : workload.method == Method::lora ? "lora"
                                                                      : "qlora";
    const bool moe = !input_.architecture.stacks.empty() && input_.architecture.text().moe;
    result_.band = band_for(input_.calibration,
                            "train_time",
                            {method,
                             workload.framework,
                             moe ? "moe" : "dense",
                             input_.device.accelerator->architecture});
}

TimeEstimate Step::fold() {
    const Workload& workload = input_.workload;
    host_per_launch_ = workload.cuda_graphs ? 0 : input_.software.launch_per_kernel.base();
    stages(training_operators(input_.architecture, workload, input_.software));
    compose();
    summarize();
    return std::move(result_);
}

}  // namespace

TimeEstimate training_time(const EstimateInput& input) {
    if (input.links != nullptr) {
        return Step(input, *input.links).fold();
    }
    const LinkModel links = link_model(input.cluster, input.calibration);
    return Step(input, links).fold();
}

}  // namespace ridgeline
