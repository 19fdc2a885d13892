#include "estimate/time/program_time.h"

#include "estimate/families/network_builder.h"
#include "estimate/time/collective.h"
#include "estimate/time/data_parallel.h"
#include "estimate/time/input_pipeline.h"
#include "estimate/time/roofline.h"
#include "estimate/uncertainty.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ridgeline {
namespace {

/// Gradients that DistributedDataParallel exchanges at a time (torch, bucket_cap_mb).
constexpr double ddp_bucket_bytes = 25.0 * 1024 * 1024;

/// Device and host time of a pass over one network.
struct PassCost {
    double device = 0;
    double compute_bound = 0;
    double kernels = 0;
    double flops = 0;
    Tier worst = Tier::measured;

    void operator+=(const PassCost& other) {
        device += other.device;
        compute_bound += other.compute_bound;
        kernels += other.kernels;
        flops += other.flops;
        worst = std::max(worst, other.worst);
    }
};

/// The rates that hold for the passes of one answer.
class Pricing {
public:
    explicit Pricing(const EstimateInput& input)
        : input_(input),
          training_(input.workload.task == Task::train),
          type_(input.workload.compute),
          sustained_(training_ ? input.device.sustained_rate : 1) {}

    PassCost forward(const Operator& op) const { return cost(op, false, 1); }
    /// inputs_only: no gradients of the weights
    PassCost backward(const Operator& op, bool inputs_only) const {
        if (op.backward_kernels <= 0) {
            return {};
        }
        const bool product = op.gemm.k > 0 && op.role != Role::attention;
        return cost(op, true, inputs_only && product ? 0.5 : 1);
    }

private:
    [[nodiscard]] const RooflineTerms& terms(OperatorClass operator_class) const {
        const auto type = static_cast<std::size_t>(type_);
        const auto at = static_cast<std::size_t>(operator_class);
        return training_ ? input_.device.training_terms[type][at] : input_.device.terms[type][at];
    }

    /// A compiler joins pointwise work to the kernel before it: what stands behind a norm, and an
    /// engine that folds constants the norm of inference into the product before it as well.
    [[nodiscard]] bool joined(const Operator& op) const {
        // Megatron's and Apex's kernels, which MLPerf submissions use, are joined by hand.
        const RuntimeKind kind = input_.software.runtime.kind;
        if (!input_.workload.compiled && kind != RuntimeKind::megatron &&
            kind != RuntimeKind::engine) {
            return false;
        }
        const bool pointwise = op.role == Role::activation || op.role == Role::residual ||
                               op.name == "scale" || op.name == "multiply";
        const bool folds = kind == RuntimeKind::engine;
        return pointwise || (!training_ && folds && op.name == "batch norm");
    }

    /// A recurrent layer step by step: all units meet after each step, and the weights are read
    /// again. cuDNN on V100 takes 27 to 35 us for a small step and three quarters of the bandwidth
    /// for a large one (baidu-research/DeepBench). The gradient of the weights is one product over
    /// all steps.
    [[nodiscard]] PassCost recurrence(const Operator& op, bool back, double share) const {
        constexpr double meeting = 35e-6;  // seconds of a step
        constexpr double bandwidth = 0.75;
        const bool narrow = bytes_per_element(storage_of(type_)) < 4;
        const double peak = input_.device.peak_of(type_).base() * (narrow ? 0.4 : 0.7);
        const double rate = input_.device.accelerator->memory_bandwidth.base() * bandwidth;
        const double flops = op.forward.base();
        const double traffic = op.forward_traffic.base();
        PassCost out;
        out.flops = flops * (back ? 2 * share : 1);
        out.device = op.forward_kernels * meeting + (peak > 0 ? flops / peak : 0) +
                     (rate > 0 ? traffic / rate : 0);
        if (back && share == 1) {
            const double once = traffic / std::max(1.0, op.forward_kernels);
            out.device += roofline_time(terms(OperatorClass::gemm), op.forward,
                                        Bytes::of_base(once)).time.base();
        }
        out.kernels = 1;  // the steps of a layer are one call
        out.worst = Tier::transferred;
        return out;
    }

    /// Rows that kernels read from host memory: short reads reach half of the link's rate.
    [[nodiscard]] PassCost over_link(const Operator& op) const {
        PassCost out;
        const auto rate = input_.device.accelerator->pcie_rate;
        out.device = rate && rate->base() > 0 ? 2 * op.forward_traffic.base() / rate->base() : 0;
        out.worst = Tier::transferred;
        return out;
    }

    PassCost cost(const Operator& op, bool back, double share) const {
        if (op.name == recurrent_steps) {
            return recurrence(op, back, share);
        }
        if (op.name == host_rows) {
            return over_link(op);
        }
        PassCost out;
        OperatorClass operator_class = op.operator_class;
        if (op.role == Role::attention && back) {
            operator_class = OperatorClass::attention_backward;
        }
        const RooflineTerms& rates = terms(operator_class);
        double flops = (back ? op.backward : op.forward).base() * share;
        out.flops = flops;
        double traffic = (back ? op.backward_traffic : op.forward_traffic).base() * share;
        const double kernels = (back ? op.backward_kernels : op.forward_kernels) * share;
        if (joined(op)) {
            // What a joined kernel still reads beside its own input.
            traffic = op.role == Role::residual && !back ? traffic / 3 : 0;
            if (back) {
                traffic = 0;
            }
            const double seconds = traffic * rates.seconds_per_byte;
            out.device = seconds;
            return out;
        }
        const double units = rates.units;
        if (op.gemm.k > 0 && rates.wave_share > 0 && units > 0 && flops > 0) {
            const double padded = full_wave_work(op.gemm, units).base() / op.gemm.flops().base();
            flops *= 1 + rates.wave_share * std::max(0.0, padded - 1);
        }
        if (op.active_fraction > 0) {
            const double width = bytes_per_element(input_.workload.weights);
            traffic += op.parameters * width * (back ? 2 * share : 1);
        }
        // Vector units compute 3x3 windows by Winograd's tiles: 16 products for 36, fused.
        if (op.name == winograd_convolution && type_ == ComputeType::fp32) {
            constexpr double saved = 2.25;
            flops /= saved;
        }
        // Products of long runs see the sustained clock.
        const bool product = flops > 0;
        const OperatorTime time = roofline_time(
            rates, Flops::of_base(product ? flops / sustained_ : 0), Bytes::of_base(traffic));
        out.device = time.time.base() + rates.overhead * std::max(0.0, kernels - 1);
        // The host chooses an algorithm and fills descriptors for every call of a convolution.
        const bool convolves = operator_class == OperatorClass::convolution ||
                               operator_class == OperatorClass::depthwise_convolution;
        out.kernels = kernels * (convolves ? 2 : 1);
        if (converts_layout(operator_class)) {
            // Tensor cores read channels last: maps in the other order are turned before and after.
            const RooflineTerms& moved = terms(OperatorClass::streaming);
            out.device += 2 * traffic * moved.seconds_per_byte;
            out.kernels += 2 * kernels;
        }
        if (input_.software.runtime.options.autocast && op.gemm.k > 0 && !back) {
            out.kernels += 1;  // the cast of its weight
        }
        out.compute_bound = time.bound == Bound::compute ? out.device : 0;
        out.worst = time.tier;
        return out;
    }

    [[nodiscard]] bool converts_layout(OperatorClass operator_class) const {
        return operator_class == OperatorClass::convolution && !input_.workload.channels_last &&
               bytes_per_element(storage_of(type_)) < 4;
    }

    const EstimateInput& input_;
    bool training_;
    ComputeType type_;
    double sustained_;
};

PassCost pass_cost(const Pricing& pricing, const SubModel& model, bool back, bool inputs_only) {
    PassCost sum;
    for (const Block& block : model.blocks) {
        PassCost once;
        for (const Operator& op : block.operators) {
            once += back ? pricing.backward(op, inputs_only) : pricing.forward(op);
        }
        for (int i = 0; i < block.repeat; ++i) {
            sum += once;
        }
    }
    return sum;
}

/// Time of a launch on the hosts that cards of that age sit in, over that on hosts of 2020 and
/// later: EfficientNet-B0 one image at a time takes 12 ms beside a V100 and 7.7 ms beside an A100
/// (NVIDIA/DeepLearningExamples).
double host_pace(const Accelerator& accelerator) {
    const std::string& architecture = accelerator.architecture;
    return architecture == "Pascal" || architecture == "Volta" || architecture == "Turing" ? 1.3 : 1;
}

/// Host time that the device does not hide: launches of eager kernels, and waits for results.
double host_excess(const EstimateInput& input, const PassCost& cost, double serial) {
    const Workload& workload = input.workload;
    const double each = workload.cuda_graphs
                            ? 0
                            : input.software.runtime.options.launch_per_kernel.base() *
                                  host_pace(*input.device.accelerator);
    // A compiled graph launches through a small wrapper; what it joined is gone already.
    const double launches = cost.kernels * each * (workload.compiled ? 0.5 : 1);
    constexpr double wait = 20e-6;  // a result on the host and the next launch; assumed
    return std::max(0.0, launches - cost.device) + serial * wait;
}

struct Step {
    TimeEstimate result;
    double flops = 0;
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

/// Whether the tokens of a pass are spread over the ranks of `plan.context`.
bool splits_tokens(const EstimateInput& input, const ProgramPass& pass) {
    return input.workload.plan.context > 1 && input.workload.task == Task::inference &&
           pass.name == "denoiser";
}

/// Ulysses: queries, keys, values and results change from a share of the tokens to a share of the
/// heads and back around every attention.
double exchanged(const EstimateInput& input, const SubModel& model) {
    const LinkModel links =
        input.links != nullptr ? *input.links : link_model(input.cluster, input.calibration);
    const int ranks = input.workload.plan.context;
    double seconds = 0;
    for (const Block& block : model.blocks) {
        for (const Operator& op : block.operators) {
            if (op.role == Role::attention) {
                const Bytes bytes = op.forward_traffic / (1.0 * ranks);
                seconds += block.repeat * collective_time(links, Collective::all_to_all, bytes, ranks,
                                                          std::min(ranks, links.per_node)).time.base();
            }
        }
    }
    return seconds;
}

void add_passes(Step& step, const EstimateInput& input, const Program& program, double rounds) {
    const Pricing pricing(input);
    for (const ProgramPass& pass : program.passes) {
        const SubModel& model = program.models[static_cast<std::size_t>(pass.model)];
        if (pass.kind == ProgramPass::Kind::update) {
            continue;
        }
        const bool back = pass.kind == ProgramPass::Kind::backward;
        const PassCost cost = pass_cost(pricing, model, back, !pass.weights);
        const double times = rounds * pass.repeat;
        const double ranks = splits_tokens(input, pass) ? input.workload.plan.context : 1;
        PassCost own = cost;
        own.device /= ranks;
        step.add(pass.name, times * own.device, bound_of(cost));
        step.add("host launches", times * host_excess(input, own, pass.serial), Bound::overhead);
        if (ranks > 1) {
            step.add("context parallel", times * exchanged(input, model), Bound::communication);
        }
        step.flops += times * cost.flops / ranks;
        step.compute_bound += times * cost.compute_bound;
        step.backward += back ? pass.repeat * cost.device : 0;
        step.result.worst_tier = std::max(step.result.worst_tier, cost.worst);
        if (back && input.workload.plan.recompute == RecomputeMode::full) {
            const PassCost again = pass_cost(pricing, model, false, false);
            step.add("recompute", times * again.device, bound_of(again));
        }
    }
}

void add_updates(Step& step, const EstimateInput& input, const Program& program, double rounds) {
    const LinkModel links =
        input.links != nullptr ? *input.links : link_model(input.cluster, input.calibration);
    for (const ProgramPass& pass : program.passes) {
        if (pass.kind != ProgramPass::Kind::update) {
            continue;
        }
        const SubModel& model = program.models[static_cast<std::size_t>(pass.model)];
        // Gradients are reduced in buckets.
        const double bytes = model.trained * bytes_per_element(input.workload.gradients);
        const RankParameters rank{.dense = model.parameters - model.sparse,
                                  .dense_trained = model.trained,
                                  .layers = std::max(1.0, std::ceil(bytes / ddp_bucket_bytes))};
        const Windows windows{
            .forward = step.backward / 2, .backward = step.backward, .micro_batches = rounds};
        const DataParallelTime data = data_parallel_time(input, links, rank, windows);
        step.add("data parallel", data.exposed, Bound::communication);
        step.add("optimizer", optimizer_time(input, rank), Bound::memory);
        step.add("offload", offload_time(input, rank, rounds), Bound::input);
        if (data.total > 0) {
            step.result.worst_tier = std::max(step.result.worst_tier, data.worst_tier);
        }
    }
}

/// Weights that wait on the host and cross the link once in each answer.
double fetched(const EstimateInput& input, const Program& program) {
    const auto rate = input.device.accelerator->pcie_rate;
    if (input.workload.plan.offload_parameters == OffloadTarget::none || !rate ||
        rate->base() <= 0) {
        return 0;
    }
    double bytes = 0;
    for (const SubModel& model : program.models) {
        bytes += model.parameters * bytes_per_element(input.workload.weights);
    }
    return bytes / rate->base();
}

}  // namespace

TimeEstimate program_time(const EstimateInput& input, const Program& program) {
    const Workload& workload = input.workload;
    const bool training = workload.task == Task::train;
    const double data = std::max(1, workload.plan.data);
    const double rounds =
        training ? std::max(1.0, std::round(workload.batch.global / (workload.batch.micro * data)))
                 : 1;
    Step step;
    add_passes(step, input, program, rounds);
    if (training) {
        add_updates(step, input, program, rounds);
    } else {
        step.add("offload", fetched(input, program), Bound::input);
    }
    double seconds = 0;
    for (const TimeComponent& component : step.result.components) {
        seconds += component.time.base();
    }
    if (training) {
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
    result.bound =
        static_cast<Bound>(std::max_element(by_bound.begin(), by_bound.end()) - by_bound.begin());
    result.band = band_for(input.calibration, network_kind(input));
    if (seconds <= 0) {
        return result;
    }
    const double samples = training ? workload.batch.global : workload.batch.micro * data;
    result.samples_per_second = samples / seconds;
    result.requests_per_second = training ? 0 : result.samples_per_second;
    result.compute_bound_share = std::min(1.0, step.compute_bound / seconds);
    const double peak = input.device.peak_of(workload.compute).base();
    result.mfu = result.hfu = peak > 0 ? step.flops / (peak * seconds) : 0;
    if (workload.duration_samples) {
        result.total =
            Seconds::of_base(std::ceil(*workload.duration_samples / samples) * seconds);
    }
    return result;
}

}  // namespace ridgeline
