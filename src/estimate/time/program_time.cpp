#include "estimate/time/program_time.h"

#include "base/lists.h"
#include "estimate/families/network_builder.h"
#include "estimate/stacks/network_script.h"
#include "estimate/stacks/sharding.h"
#include "estimate/time/collective.h"
#include "estimate/time/data_parallel.h"
#include "estimate/time/device.h"
#include "estimate/time/host_time.h"
#include "estimate/time/input_pipeline.h"
#include "estimate/time/pass_cost.h"
#include "estimate/time/shared_pass.h"
#include "estimate/uncertainty.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace ridgeline {
namespace {

struct NetworkStep {
    TimeEstimate result;
    double at_peak = 0;  ///< seconds
    double compute_bound = 0;
    double backward = 0;

    void add(std::string_view name, double seconds, Bound bound) {
        if (!(seconds > 0)) {
            return;
        }
        for (TimeComponent& component : result.components) {
            if (component.name == name && component.bound == bound) {
                component.time += Seconds::of_base(seconds);
                return;
            }
        }
        result.components.push_back({name, Seconds::of_base(seconds), bound});
    }
};

Bound bound_of(const PassCost& cost) {
    return cost.compute_bound > 0.5 * cost.device ? Bound::compute : Bound::memory;
}

/// Ranks that share the tokens of a pass.
double token_ranks(const EstimateInput& input, const ProgramPass& pass) {
    const bool denoises = input.workload.task == Task::inference && pass.name == "denoiser";
    return denoises ? input.workload.plan.token_ranks() : 1;
}

/// What sharing the tokens of a pass adds to the step, and to the pass: the host launches ahead
/// while the device waits for other ranks.
void add_exchanges(NetworkStep& step, const EstimateInput& input, const SubModel& model,
                   PassCost& own, double times) {
    const SharedPass shared = shared_pass(input, model);
    step.add("context parallel", times * shared.waits, Bound::communication);
    step.add("parts of the attention", times * shared.device, Bound::memory);
    // The first step runs through the stages one after another: each needs keys of all patches.
    const Plan& plan = input.workload.plan;
    const double calls = times / std::max(1, input.workload.batch.steps);
    step.add("first step of the patches", calls * (plan.split.patches - 1) * own.device,
             Bound::compute);
    own.device += shared.waits + shared.device;
    own.uncompiled += shared.launches;
}

/// Tables lie whole on one rank or another: each rank sends the vectors that it looked up for the
/// samples of the others, and their gradients come back.
/// Stacks of submissions run it beside the dense part.
double table_exchange(const EstimateInput& input, const SubModel& model, double dense) {
    const int ranks = std::max(1, input.workload.plan.data);
    if (model.exchanged.base() <= 0 || ranks < 2) {
        return 0;
    }
    const LinkModel links =
        input.links != nullptr ? *input.links : link_model(input.cluster, input.calibration);
    const double seconds = collective_time(links, Collective::all_to_all, model.exchanged, ranks,
                                           std::min(ranks, links.per_node))
                               .time.base();
    if (input.software.runtime.kind == RuntimeKind::megatron) {
        return std::max(0.0, seconds - dense);
    }
    // A plain stack joins its vectors by rank before, and puts them in the order of samples behind.
    constexpr double passes = 4;
    const double moved = passes * model.exchanged.base();
    return seconds +
           moved *
               input.device.terms_of(ComputeType::fp16, OperatorClass::streaming).seconds_per_byte;
}

/// streamed  bytes of the main network's weights that each of its passes reads from the host, the
///           next while the one before is worked on
void add_passes(NetworkStep& step, const EstimateInput& input, const Program& program,
                double rounds, Bytes streamed) {
    for (const ProgramPass& pass : program.passes) {
        const SubModel& model = program.models[static_cast<std::size_t>(pass.model)];
        if (pass.kind == ProgramPass::Kind::update) {
            continue;
        }
        const bool back = pass.kind == ProgramPass::Kind::backward;
        const double times = rounds * pass.repeat;
        const double ranks = token_ranks(input, pass);
        PassCost cost =
            pass_cost(input, model, back ? Phase::backward : Phase::forward, !pass.weights, ranks);
        step.add(pass.name, times * cost.device, bound_of(cost));
        if (streamed > Bytes{} && static_cast<std::size_t>(pass.model) == program.main) {
            const double arrives = streamed.base() / input.device.accelerator->pcie_rate->base();
            step.add("weights from the host", times * (arrives - cost.device), Bound::input);
        }
        step.add("tables of other ranks", times * table_exchange(input, model, cost.device),
                 Bound::communication);
        if (ranks > 1) {
            add_exchanges(step, input, model, cost, times);
        }
        step.add("host launches", times * host_excess(input, cost, pass.serial), Bound::overhead);
        step.at_peak += times * cost.at_peak;
        step.compute_bound += times * cost.compute_bound;
        step.backward += back ? pass.repeat * cost.device : 0;
        step.result.worst_tier = std::max(step.result.worst_tier, cost.worst);
        if (back && input.workload.plan.recompute == RecomputeMode::full) {
            const PassCost again = pass_cost(input, model, Phase::again, false);
            const double share = times * input.workload.plan.recompute_share;
            step.add("recompute", share * again.device, bound_of(again));
            step.add("host launches", share * host_excess(input, again, 0), Bound::overhead);
        }
    }
}

/// Pieces in which gradients are reduced: DistributedDataParallel's, or Megatron-Core's
/// (DistributedDataParallelConfig: 40 M parameters, or 1 M for each rank), of which small models
/// are cut finer, so that they hide behind the backward pass.
double reduced_pieces(const EstimateInput& input, double trained) {
    const double width = bytes_per_element(input.workload.gradients);
    const double small = std::max(1.0, std::ceil(trained * width / ddp_bucket_bytes));
    if (input.software.runtime.kind != RuntimeKind::megatron) {
        return small;
    }
    constexpr double fewest = 8;  // pieces, assumed
    const double wide = std::max(40e6, 1e6 * input.workload.plan.data);
    return std::max(std::min(fewest, small), std::ceil(trained / wide));
}

void add_updates(NetworkStep& step, const EstimateInput& input, const Program& program,
                 double rounds) {
    const LinkModel links =
        input.links != nullptr ? *input.links : link_model(input.cluster, input.calibration);
    for (const ProgramPass& pass : program.passes) {
        if (pass.kind != ProgramPass::Kind::update) {
            continue;
        }
        const SubModel& model = program.models[static_cast<std::size_t>(pass.model)];
        const RankParameters rank{.dense = model.parameters - model.sparse,
                                  .dense_trained = model.trained,
                                  .layers = reduced_pieces(input, model.trained)};
        const Windows windows{
            .forward = step.backward / 2, .backward = step.backward, .micro_batches = rounds};
        const DataParallelTime data = data_parallel_time(input, links, rank, windows);
        step.add("data parallel", data.exposed, Bound::communication);
        step.add("optimizer", optimizer_time(input, rank), Bound::memory);
        step.add("offload", offload_time(input, rank, rounds), Bound::input);
        step.add("drive of the offload", drive_time(input, rank, rounds), Bound::input);
        if (data.total > 0) {
            step.result.worst_tier = std::max(step.result.worst_tier, data.worst_tier);
        }
    }
}

/// Weights that wait on the host cross the link in each answer and go back when their module has
/// run (accelerate, cpu_offload_with_hook: module.to("cpu")), from pageable memory.
double fetched(const EstimateInput& input, const Program& program, const MemoryEstimate& held) {
    const auto rate = input.device.accelerator->pcie_rate;
    const bool wait =
        input.workload.plan.offload_parameters != OffloadTarget::none || held.host > Bytes{};
    if (!wait || !rate || rate->base() <= 0) {
        return 0;
    }
    double bytes = -held.streamed.base();
    for (const SubModel& model : program.models) {
        bytes += model.parameters * stored_weight_bytes(input.workload);
    }
    constexpr double there_and_back = 2;
    return there_and_back * bytes / (pageable_share * rate->base());
}

/// Share of a step that a rank waits for the slowest of them, whose time lies evenly up to that
/// much above and below the mean: the largest of n is (n - 1) / (n + 1) of it above. Sentences and
/// utterances differ in length from rank to rank (DeepLearningExamples' recurrent networks take 7
/// to 20 % longer on 4 to 16 cards of one server, its networks of images 1 to 6 %; both shares are
/// chosen from that, not fitted). Submissions to MLPerf sort and pack what they train on.
double waiting_share(const EstimateInput& input, double ranks) {
    constexpr double uneven = 0.12;
    constexpr double even = 0.03;
    const auto& network = input.architecture.network;
    if (ranks < 2 || !network || input.software.runtime.kind != RuntimeKind::plain) {
        return 0;
    }
    constexpr std::array lengths = {std::string_view("recurrent"), std::string_view("tacotron2"),
                                    std::string_view("fastpitch"), std::string_view("jasper"),
                                    std::string_view("rnnt")};
    const bool differ = is_among(network->type, lengths);
    return (differ ? uneven : even) * (ranks - 1) / (ranks + 1);
}

}  // namespace

TimeEstimate program_time(const EstimateInput& input, const Program& program,
                          const MemoryEstimate& held) {
    const Workload& workload = input.workload;
    const bool training = workload.task == Task::train;
    const double data = std::max(1, workload.plan.data);
    const double rounds =
        training ? std::max(1.0, std::round(workload.batch.global / (workload.batch.micro * data)))
                 : 1;
    NetworkStep step;
    add_passes(step, input, program, rounds, held.streamed);
    const RuntimeOptions& host = input.software.runtime.options;
    if (training) {
        add_updates(step, input, program, rounds);
    } else {
        step.add("offload", fetched(input, program, held), Bound::input);
        step.add("host beside the network",
                 (host.launch_per_call + workload.batch.micro * host.launch_per_sample).base(),
                 Bound::overhead);
    }
    double seconds = 0;
    for (const TimeComponent& component : step.result.components) {
        seconds += component.time.base();
    }
    if (training) {
        const double waiting = waiting_share(input, data) * seconds;
        step.add("slowest rank", waiting, Bound::communication);
        seconds += waiting;
        // The host prepares a step while the device runs the one before.
        const double late = host.launch_per_call.base() - seconds;
        step.add("host beside the network", late, Bound::overhead);
        seconds += std::max(0.0, late);
        const double fed = input_time(workload, input.cluster).base();
        step.add("wait for input", fed - seconds, Bound::input);
        seconds = std::max(seconds, fed);
    }
    TimeEstimate result = std::move(step.result);
    result.step = Seconds::of_base(seconds);
    std::array<double, 5> by_bound{};
    for (const TimeComponent& component : result.components) {
        by_bound[static_cast<std::size_t>(component.bound)] += component.time.base();
    }
    result.bound = static_cast<Bound>(std::ranges::max_element(by_bound) - by_bound.begin());
    result.band = band_on_part(input.calibration, *input.cluster.accelerator, network_kind(input));
    if (seconds <= 0) {
        return result;
    }
    const double samples = training ? workload.batch.global : workload.batch.micro * data;
    result.samples_per_second = samples / seconds;
    result.requests_per_second = training ? 0 : result.samples_per_second;
    result.compute_bound_share = std::min(1.0, step.compute_bound / seconds);
    result.mfu = step.at_peak / seconds;
    if (workload.duration_samples) {
        result.total = Seconds::of_base(std::ceil(*workload.duration_samples / samples) * seconds);
    }
    return result;
}

}  // namespace ridgeline
