// Time of the operators of networks outside the transformer family: which kernels a stack joins,
// which unit and type a kernel runs on, and what the host does for each.
#include "estimate/time/pass_cost.h"

#include "estimate/families/network_builder.h"
#include "estimate/families/small_functions.h"
#include "estimate/time/attention_heads.h"
#include "estimate/time/line_transform.h"
#include "estimate/time/recurrent_time.h"
#include "estimate/time/roofline.h"
#include "estimate/time/single_convolution.h"
#include "estimate/time/slow_kernels.h"
#include "estimate/time/slowest_part.h"
#include "estimate/time/stack_kernels.h"
#include "estimate/time/winograd.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

/// The rates that hold for the passes of one answer.
class Pricing {
public:
    Pricing(const EstimateInput& input, double ranks)
        : input_(input),
          ranks_(ranks),
          kernels_(input),
          training_(input.workload.task == Task::train),
          sustained_(single_call() ? 1
                     : training_   ? sustained_rate_of(input.device, input.cluster.count)
                                   : input.device.sustained_rate) {}

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
        return terms(operator_class, kernels_.type(), training_);
    }
    [[nodiscard]] const RooflineTerms& terms(OperatorClass operator_class, ComputeType compute,
                                             bool training) const {
        const auto type = static_cast<std::size_t>(compute);
        const auto at = static_cast<std::size_t>(operator_class);
        return training ? input_.device.training_terms[type][at] : input_.device.terms[type][at];
    }
    /// Seconds of operations at the dense peak: of the type that was asked for, or of one that a
    /// library rounds to (tf32 of fp32).
    [[nodiscard]] double at_peak(double flops, ComputeType type) const {
        const DeviceModel& device = input_.device;
        const double peak =
            std::max(device.peak_of(type), device.peak_of(input_.workload.compute)).base();
        return peak > 0 ? flops / peak : 0;
    }
    /// One kernel that is timed alone, at the clock of short runs.
    [[nodiscard]] bool single_call() const {
        const auto& network = input_.architecture.network;
        return network && network->type.ends_with("_kernel");
    }
    /// Products of long runs see the sustained clock, at which rates of attention kernels were
    /// measured.
    [[nodiscard]] double slowdown(const Operator& op, ComputeType type, bool back) const {
        const bool fused = op.role == Role::attention && op.columns > 0 && op.forward_kernels <= 1;
        return fused ? time_of_full_attention(input_.device,
                                              input_.software.kernels.attention.generation,
                                              input_.device.peak_of(type).base(), op.columns, back)
                     : 1 / sustained_;
    }

    /// Bytes of the bias of a convolution: cuDNN's result is read and written once more (ATen
    /// Convolution.cpp, ConvBackend::Cudnn: output.add_), and its gradient summed over the map.
    [[nodiscard]] double bias_bytes(const Operator& op, bool back) const {
        const bool named = op.name == "convolution" || op.name == winograd_convolution;
        if (!kernels_.eager_torch() || !named || op.parameters <= op.rows * op.columns) {
            return 0;
        }
        const double map = op.gemm.m * op.rows * bytes_per_element(storage_of(kernels_.type()));
        return back ? map : 2 * map;
    }

    /// Bytes that attention without a kernel of its own moves between its two products: scores are
    /// scaled or masked and made a softmax, one pass after another; so are their gradients.
    [[nodiscard]] double passes_over_scores(const Operator& op, bool back, bool compiled) const {
        if (op.role != Role::attention || op.forward_kernels <= 1 || !(op.columns > 0)) {
            return 0;
        }
        const double scores = op.forward.base() / (4 * op.columns);
        const double bytes = bytes_per_element(storage_of(kernels_.type()));
        const bool wide = kernels_.half() && kernels_.autocasts();  // softmax in fp32
        const double passes = compiled ? 2 : wide ? 4 + 8 / bytes : 4;
        return (back ? passes + 1 : passes) * scores * bytes;
    }

    PassCost cost(const Operator& op, bool back, double share) const {
        if ((back ? op.backward_kernels : op.forward_kernels) <= 0) {
            return {};  // owns parameters alone
        }
        if (op.name == filtered_activation) {
            return filtering_cost(input_.device, terms(OperatorClass::streaming), op, back);
        }
        if (op.name == recurrent_steps) {
            const ComputeType type = kernels_.computes_in(op, op.operator_class);
            return recurrent_cost(input_.device, type, terms(OperatorClass::gemm, type, training_),
                                  op, back, share);
        }
        if (op.name == host_rows) {
            return host_rows_cost(input_.device, op);
        }
        PassCost out;
        const OperatorClass operator_class = op.role == Role::attention && back
                                                 ? OperatorClass::attention_backward
                                                 : op.operator_class;
        const ComputeType type = kernels_.computes_in(op, operator_class);
        if (single_call() && operator_class == OperatorClass::convolution) {
            out.at_peak = at_peak(op.forward.base(), type);
            out.device =
                single_convolution_time(input_.device, type, op, input_.workload.batch.micro);
            out.worst = Tier::transferred;
            return out;
        }
        const RooflineTerms& rates = terms(operator_class, type, training_);
        const double here = share / (takes_part(op) ? ranks_ : 1);
        Work work{.flops = (back ? op.backward : op.forward).base() * here,
                  .traffic = (back ? op.backward_traffic : op.forward_traffic).base() * here,
                  .kernels = (back ? op.backward_kernels : op.forward_kernels) * share,
                  .gemm = op.gemm};
        work.gemm.m *= here / share;
        out.at_peak = at_peak(work.flops, type);
        if (kernels_.joined(op)) {
            // What a joined kernel still reads beside its own input.
            const double read = op.role == Role::residual && !back ? work.traffic / 3 : 0;
            out.device = back ? 0 : read * rates.seconds_per_byte;
            return out;
        }
        fill_tiles(op, back, type, rates, work);
        if (op.active_fraction > 0) {
            const double width = bytes_per_element(input_.workload.weights);
            work.traffic += op.parameters * width * (back ? 2 * share : 1);
        }
        choose_kernels(op, back, type, here, work);
        const OperatorTime time =
            roofline_time(rates, Flops::of_base(work.flops * slowdown(op, type, back)),
                          Bytes::of_base(work.traffic));
        out.device =
            work.beside + (time.time.base() + rates.overhead * std::max(0.0, work.kernels - 1) +
                           (op.name == recurrent_weights ? recurrent_call : 0));
        add_around(op, back, operator_class, rates, work, out);
        out.compute_bound = time.bound == Bound::compute ? out.device : 0;
        out.worst = time.tier;
        return out;
    }

    /// What the kernels of one operator do, as counted and then as their library does it.
    struct Work {
        double flops;
        double traffic;  ///< bytes
        double kernels;
        GemmShape gemm;
        double beside = 0;  ///< seconds of kernels beside the operator's own
    };

    /// Products are computed in whole tiles and waves of tiles.
    void fill_tiles(const Operator& op, bool back, ComputeType type, const RooflineTerms& rates,
                    Work& work) const {
        if (convolves(op.operator_class) && op.gemm.k > 0 && op.forward.base() > 0) {
            work.flops *= std::max(1.0, op.gemm.flops() / op.forward);  // padded channels
            // An engine times the algorithms of each layer on the card and takes the best; a
            // library guesses by the shape.
            constexpr double timed = 1.3;
            work.flops /= input_.software.runtime.kind == RuntimeKind::engine ? timed : 1;
        }
        const bool whole = work.gemm.k > 0 && rates.units > 0 && work.flops > 0;
        if (whole && op.name == recurrent_weights) {
            // What is there is read and written when the sums are done: blocks of a wave end
            // together, so that no product hides it (cudnnRNNBackwardWeights adds to dw).
            const double sums = work.gemm.m * work.gemm.n * bytes_per_element(storage_of(type));
            work.beside += 2 * sums * terms(OperatorClass::streaming).seconds_per_byte;
            // Long sums are split over idle vector units.
            const bool split = type == ComputeType::fp32;
            work.flops *= split ? 1 : block_waves(work.gemm.m, work.gemm.n, rates.units);
        } else if (whole && rates.wave_share > 0) {
            const double padded = full_wave_work(side_by_side(work.gemm), rates.units).base() /
                                  work.gemm.flops().base();
            work.flops *= 1 + rates.wave_share * std::max(0.0, padded - 1);
        }
        work.flops *= narrow_groups(op, type);
        if (!back && uneven_groups(op, type)) {
            // Groups are padded to a power of two, in a copy of the map.
            const double padded = std::exp2(std::ceil(std::log2(work.gemm.n))) / work.gemm.n;
            work.flops *= padded * padded;
            work.traffic *= 2;
        }
    }

    /// The kernels that a library has for an operator of this kind and layout.
    void choose_kernels(const Operator& op, bool back, ComputeType type, double here,
                        Work& work) const {
        // Vector units compute 3x3 windows by tiles, and long ones along one axis by tiles or
        // transforms: of maps of one length, for which a library tries its kernels.
        if (type == ComputeType::fp32 && op.name == long_line_convolution) {
            const RooflineTerms& rates = terms(op.operator_class, type, training_);
            const TiledWork line = training_
                                       ? TiledWork{.products = 1 / windowed_line}
                                       : line_work(rates, op, input_.workload.batch.micro, here);
            work.flops *= line.products;
            work.beside += line.transformed * terms(OperatorClass::streaming).seconds_per_byte;
        } else if (type == ComputeType::fp32 && op.name == winograd_convolution) {
            const RooflineTerms& rates = terms(op.operator_class, type, training_);
            const auto tiled = winograd_work(rates, op, back, input_.workload.batch.micro, here);
            work.flops *= tiled.products;
            work.traffic += tiled.transformed;
        }
        // Batch norm over channels-first maps of half precision reads with a stride.
        if (op.name == "batch norm" && training_ && kernels_.half() &&
            !input_.workload.channels_last && input_.software.runtime.kind == RuntimeKind::plain) {
            constexpr double strided = 1.6;  // times the traffic
            work.traffic *= strided;
        }
        if (back && op.trains && op.parameters > 0 && op.name == "layer norm" &&
            kernels_.eager_torch() && input_.software.runtime.libraries.torch < Version{2, 8}) {
            constexpr double maps = 2;  // that the sums read, at the rate of memory or not
            const double columns = op.parameters / 2;
            const double element = kernels_.half() && !kernels_.autocasts()
                                       ? bytes_per_element(storage_of(kernels_.type()))
                                       : 4;
            const double read = maps * element * op.gemm.m * columns *
                                terms(OperatorClass::streaming).seconds_per_byte;
            const double alone = norm_gradient_time(input_.device, op.gemm.m, columns);
            work.beside += std::max(0.0, alone - read) * here;
        }
        // Group norm of torch on a GPU computes channels first (native_group_norm asks for
        // contiguous memory): in channels last its map is turned before it and, for the
        // convolution, behind it.
        if (op.name == "group norm" && input_.workload.channels_last && kernels_.eager_torch()) {
            constexpr double own = 3;     // reads and writes of the map
            constexpr double turned = 4;  // of both copies
            work.traffic *= (own + turned) / own;
            work.kernels += 2;
        }
        const double per_byte = terms(OperatorClass::streaming).seconds_per_byte;
        const double over_scores = passes_over_scores(op, back, input_.workload.compiled);
        work.beside += (bias_bytes(op, back) + over_scores) * here * per_byte;
        // An eager stack quantises, turns and scales the operands of an 8-bit product apart.
        if (kernels_.quantises(op)) {
            constexpr double more = 6;  // times the traffic of the product; both assumed
            constexpr double launched = 11;
            work.traffic += more * work.traffic;
            work.kernels += launched;
        }
        work.traffic -= passes_over_scores(op, back, false) * here;
    }

    /// What runs around the operator's own kernels, and what its host does for them.
    void add_around(const Operator& op, bool back, OperatorClass operator_class,
                    const RooflineTerms& rates, const Work& work, PassCost& out) const {
        if (operator_class == OperatorClass::gemm && !training_ && op.gemm.k > 0) {
            // Activations are quantised before an 8-bit product: one pass, or kernel by kernel.
            constexpr double apart = 4;  // times (fitted)
            out.device +=
                quantise_pass(rates, kernels_.computes_in(op, operator_class), work.gemm) *
                (input_.workload.compiled ? 1 : apart);
        }
        if (input_.software.runtime.kind == RuntimeKind::engine) {
            // Seconds of a small kernel: few waves, start and end, beside which many waves hide
            // (fitted on networks of images under TensorRT).
            constexpr double least = 10.4e-6;
            out.device = std::hypot(out.device, least);
        }
        if (back && uneven_groups(op, kernels_.computes_in(op, operator_class))) {
            out.device = std::max(out.device, direct_groups_time(input_.device, work.flops));
        }
        // The host chooses an algorithm for every convolution; functions of small tensors take half
        // the time of a module. Both assumed.
        out.kernels = work.kernels * (convolves(operator_class)    ? 2
                                      : op.name == small_functions ? 0.5
                                                                   : 1);
        if (kernels_.converts_layout(operator_class) && !op.full_precision) {
            // Tensor cores read channels last: maps in the other order are turned before and
            // after (times the traffic, fitted).
            constexpr double turned = 1.8;
            out.device += turned * work.traffic * terms(OperatorClass::streaming).seconds_per_byte;
            out.kernels += 2 * work.kernels;
        }
        const bool stored_wide = bytes_per_element(input_.workload.weights) > 2;
        if (kernels_.autocasts() && stored_wide && kernels_.half() && !op.full_precision &&
            op.gemm.k > 0 && !back) {
            out.kernels += 1;  // the cast of its weight
        }
    }

    /// Ranks that share positions repeat what has one row a sample (factors of norms).
    [[nodiscard]] bool takes_part(const Operator& op) const {
        const Batch& batch = input_.workload.batch;
        return op.gemm.k <= 0 || op.gemm.m > 1.0 * batch.micro * std::max(1, batch.guidance_passes);
    }

    /// Narrow groups lie side by side in a tile.
    [[nodiscard]] static GemmShape side_by_side(const GemmShape& gemm) {
        return {.m = gemm.m, .n = gemm.n * gemm.count, .k = gemm.k, .count = 1};
    }

    const EstimateInput& input_;
    double ranks_;  ///< that share the positions of a pass
    StackKernels kernels_;
    bool training_;
    double sustained_;
};

}  // namespace

PassCost pass_cost(const EstimateInput& input, const SubModel& model, Phase phase, bool inputs_only,
                   double ranks) {
    const Pricing pricing(input, ranks);
    const bool back = phase == Phase::backward;
    PassCost sum;
    for (const Block& block : model.blocks) {
        if (phase == Phase::again && block.position != Block::Position::layer) {
            continue;
        }
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

Seconds operator_time(const EstimateInput& input, const Operator& op, bool back, bool inputs_only,
                      double ranks) {
    const Pricing pricing(input, ranks);
    const PassCost cost = back ? pricing.backward(op, inputs_only) : pricing.forward(op);
    return Seconds::of_base(cost.device);
}

}  // namespace ridgeline
