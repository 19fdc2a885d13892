#include "estimate/time/block_time.h"

#include "estimate/stacks/pipeline.h"
#include "estimate/time/attention_heads.h"
#include "estimate/time/block_work.h"
#include "estimate/time/host_time.h"
#include "estimate/time/operand_types.h"
#include "estimate/time/recomputed.h"
#include "estimate/time/roofline.h"
#include "estimate/time/slowest_part.h"
#include "estimate/work/quantization.h"

#include <algorithm>

namespace ridgeline {
namespace {

struct BlockFold {
    const EstimateInput& input;
    const std::vector<Tensor>& tensors;  ///< of the block
    RecomputeMode recompute;
    BlockTime result;
    int quantized_input = no_tensor;  ///< last tensor that was cast: q, k and v share theirs
    int wide_input = no_tensor;       ///< and by autocast
    OperatorLog* log = nullptr;
    std::string_view block = {};
    const Operator* last = nullptr;  ///< one past the block's operators
    std::string_view name = {};      ///< of the operator at hand
    int index = -1;
    bool captured = false;  ///< in a CUDA graph: the host does not launch its kernels
    double sustained = sustained_rate_of(input.device, input.cluster.count);
    double narrow_heads = 1;  ///< factor on the time of attention for the width of its heads
    FlashGeneration flash = input.software.kernels.attention.generation;

    [[nodiscard]] double slowdown(OperatorClass cls) const {
        const auto& attention = input.device.attention_rate[static_cast<std::size_t>(flash)];
        switch (cls) {
            case OperatorClass::gemm:
            case OperatorClass::grouped_gemm:
                return 1 / (sustained * input.software.runtime.options.matrix_share);
            case OperatorClass::attention_forward:
                return narrow_heads / (sustained * attention[0]);
            case OperatorClass::attention_backward:
                return narrow_heads / (sustained * attention[1]);
            default:
                return 1;
        }
    }
    [[nodiscard]] const RooflineTerms& terms_of(ComputeType type, OperatorClass cls) const {
        return input.device
            .training_terms[static_cast<std::size_t>(type)][static_cast<std::size_t>(cls)];
    }
    OperatorTime kernel(ComputeType type, OperatorClass cls, double flops, double bytes) {
        // A step keeps the matrix units busy long enough for the power limit to set their clock.
        const OperatorTime time = roofline_time(
            terms_of(type, cls), Flops::of_base(flops * slowdown(cls)), Bytes::of_base(bytes));
        result.worst_tier = std::max(result.worst_tier, time.tier);
        return time;
    }
    /// `kernels` launches that share the work; each pays the fixed time of a kernel in the stream.
    double add(PassTime& pass, ComputeType type, OperatorClass cls, double flops, double bytes,
               double kernels) {
        if (flops <= 0 && bytes <= 0) {
            return 0;
        }
        const OperatorTime time = kernel(type, cls, flops, bytes);
        const double fixed = terms_of(type, cls).overhead;
        const double seconds = time.time.base() + std::max(0.0, kernels - 1) * fixed;
        pass.device += seconds;
        launch(pass, kernels);
        if (log != nullptr) {
            log->push_back({.block = block,
                            .name = name,
                            .index = index,
                            .phase = phase_of(pass),
                            .operator_class = cls,
                            .type = type,
                            .flops = flops,
                            .bytes = bytes,
                            .seconds = seconds,
                            .bound = time.bound});
        }
        if (time.bound == Bound::compute) {
            pass.compute_bound += seconds;
        }
        return seconds;
    }

    /// Kernels that move bytes and compute nothing.
    double stream(PassTime& pass, double bytes, double kernels) {
        return add(pass, wide_type(input.workload), OperatorClass::streaming, 0, bytes, kernels);
    }

    void launch(PassTime& pass, double kernels) const { pass.launches += captured ? 0 : kernels; }

    [[nodiscard]] std::string_view phase_of(const PassTime& pass) const {
        return &pass == &result.forward     ? "forward"
               : &pass == &result.backward  ? "backward"
               : &pass == &result.recompute ? "recompute"
               : &pass == &result.quantize  ? "quantize operands"
                                            : "dequantize weights";
    }
    void cast_operands(const Operator& op, ComputeType type, double weights);
    void cast_wide_operands(const Operator& op);
    void cast_around_packed(const Operator& op);
    void expand_weights(const Operator& op);
    void passes(const Operator& op);
    [[nodiscard]] double recomputed_share(const Operator& op) const {
        return ridgeline::recomputed_share(input, recompute, op, last);
    }
    [[nodiscard]] double in_waves(const Operator& op, ComputeType type, bool back) const;
    [[nodiscard]] FlashGeneration kernel_of(const Operator& op) const;
    [[nodiscard]] double dispatch_passes(const Operator& op) const;
    void merge_context(const Operator& op);
    void operator_time(const Operator& op);
    void count(const Operator& op);
};

/// Low-precision products read operands that were cast from 16 bit: the input once for all the
/// products that share it, the output's gradient, and the weights once a step.
void BlockFold::cast_operands(const Operator& op, ComputeType type, double weights) {
    const Workload& workload = input.workload;
    const double tokens = op.gemm.m * op.gemm.count;
    if (op.inputs[0] != quantized_input) {
        quantized_input = op.inputs[0];
        stream(result.quantize, tokens * op.gemm.k * cast_traffic(type, op.trains), 1);
    }
    stream(result.quantize, tokens * op.gemm.n * cast_traffic(type, op.trains), 1);
    if (op.trains) {
        const double passes = micro_batches(workload);
        stream(result.quantize, weights * cast_traffic(type, true) / passes, 1 / passes);
    }
}

/// The copies that autocast makes of a product's fp32 operands, which it keeps: read in 32 bits and
/// written in 16, and their gradients back. A compiler writes the input in 16 bits at once.
void BlockFold::cast_wide_operands(const Operator& op) {
    constexpr double moved = (4.0 + 2) / 2;  // times the copy
    for (const int kept : op.kept) {
        const std::string_view kind =
            kept == no_tensor ? "" : tensors[static_cast<std::size_t>(kept)].name;
        const bool copied = kind == cast_input && kept != wide_input && !input.workload.compiled;
        if (kind != cast_weight && kind != frozen_cast && !copied) {
            continue;
        }
        wide_input = copied ? kept : wide_input;
        const double bytes = moved * tensors[static_cast<std::size_t>(kept)].size.base();
        stream(result.forward, bytes, 1);
        if (kind != frozen_cast) {
            stream(result.backward, bytes, 1);
        }
        stream(result.recompute, recomputed_share(op) * bytes, recomputed_share(op));
    }
}

/// A product of expanded weights runs in their type: a wider input is cast to it before, the result
/// back behind (Linear4bit of bitsandbytes), and so are their gradients.
void BlockFold::cast_around_packed(const Operator& op) {
    const double narrow = weight_bytes(wide_type(input.workload));
    double bytes = 0;
    double kernels = 0;
    const auto cast = [&](int tensor, double elements) {
        const double wide =
            tensor == no_tensor ? 0 : tensors[static_cast<std::size_t>(tensor)].size.base();
        if (wide > narrow * elements) {
            bytes += wide + narrow * elements;
            ++kernels;
        }
    };
    const double rows = op.gemm.m * op.gemm.count;
    cast(op.inputs[0], rows * op.gemm.k);
    cast(op.outputs[0], rows * op.gemm.n);
    const double share = recomputed_share(op);
    stream(result.forward, bytes, kernels);
    stream(result.backward, bytes, kernels);
    stream(result.recompute, share * bytes, share * kernels);
}

/// Quantised frozen weights are expanded to the compute type before each product.
void BlockFold::expand_weights(const Operator& op) {
    const QuantFormat* format = quant_format(input.workload.quantization.name);
    if (!format || !format->dequantizes) {
        return;
    }
    const double stored = quantized_bytes(*format, op.rows, op.columns,
                                          input.workload.quantization.double_quantization);
    const double traffic = op.matrices * (stored + op.rows * op.columns * format->expanded_traffic);
    const double times = recompute == RecomputeMode::full ? 3 : 2;
    stream(result.dequantize, times * traffic, times * format->expansion_kernels);
    cast_around_packed(op);
}

/// Attention that comes in one part for each rank of the context: every part is a kernel of its own
/// whose output is scaled and added to an fp32 sum; its gradients are added up too (Transformer
/// Engine AttnFuncWithCPAndKVP2P, torch _SDPAMerger). With a causal mask cut in two chunks a rank,
/// a part touches three quarters of the rows.
void BlockFold::merge_context(const Operator& op) {
    const double parts = input.workload.plan.context;
    if (parts <= 1 || op.outputs[0] == no_tensor) {
        return;
    }
    constexpr double rows_touched = 0.75;
    constexpr double sum_forward = 2 + 4 + 4;   // bytes: part read, fp32 sum read and written
    constexpr double sum_backward = 2 + 2 + 2;  // the same of 16-bit gradients
    const ComputeType wide = wide_type(input.workload);
    const double elements =
        tensors[static_cast<std::size_t>(op.outputs[0])].size.base() / weight_bytes(wide);
    const double share = recomputed_share(op);
    const double forward = parts * rows_touched * elements * sum_forward;
    const double backward = parts * rows_touched * elements * sum_backward;
    // Output and log-sum-exp forward, gradients of queries, keys and values backward: a kernel
    // each, half of them beside attention on the other stream.
    stream(result.forward, forward, parts);
    stream(result.backward, backward, 1.5 * parts);
    launch(result.forward, parts);
    launch(result.backward, 1.5 * parts);
    if (share > 0) {
        stream(result.recompute, share * forward, parts * share);
        launch(result.recompute, parts * share);
    }
}

/// Factor on the operations of a product, backward the mean of both gradients.
double BlockFold::in_waves(const Operator& op, ComputeType type, bool back) const {
    const bool alone = op.role == Role::expert_linear && op.operator_class == OperatorClass::gemm;
    if (op.role != Role::linear && !alone) {
        return 1;
    }
    const RooflineTerms& terms = terms_of(type, op.operator_class);
    const bool walked = alone && input.software.runtime.walks_experts();
    const auto& [m, n, k, all] = op.gemm;
    const double count = walked ? 1 : all;  // each in waves of its own
    if (!back) {
        return wave_factor(terms, {m, n, k, count});
    }
    const double inputs = wave_factor(terms, {m, k, n, count});
    return op.trains ? (inputs + wave_factor(terms, {k, n, m, count})) / 2 : inputs;
}

/// The flash kernels behind torch's scaled_dot_product_attention take one head size for queries and
/// values (sdp_utils.cpp, check_head_dim_size_flash); latent attention, which has two, falls back
/// to the memory-efficient kernel.
FlashGeneration BlockFold::kernel_of(const Operator& op) const {
    const bool torch_kernel = input.workload.attention == AttentionKernel::sdpa;
    const bool two_sizes = op.role == Role::attention && op.gemm.n != op.gemm.k;
    return torch_kernel && two_sizes ? FlashGeneration::flash1
                                     : input.software.kernels.attention.generation;
}

/// Passes over the routed copies of tokens that this stack makes for each one that sorting and
/// summing them needs; a compiled step fuses them, and so does one whose other small kernels are
/// joined.
double BlockFold::dispatch_passes(const Operator& op) const {
    const bool joined =
        input.workload.compiled || (input.workload.task == Task::train &&
                                    input.software.kernels.activation == ActivationKernel::fused);
    return op.role == Role::dispatch && !joined ? 1 / input.software.runtime.expert_dispatch_share()
                                                : 1;
}

void BlockFold::passes(const Operator& op) {
    flash = kernel_of(op);
    const double peak = input.device.peak_of(wide_type(input.workload)).base();
    const double width = std::max(op.gemm.n, op.gemm.k);
    const bool full_rate = op.role == Role::attention && flash == FlashGeneration::flash3;
    narrow_heads = full_rate ? time_of_narrow_heads(*input.device.accelerator, peak, width) : 1;
    const double dispatch = dispatch_passes(op);
    const ComputeType type = product_type(op, input.workload);
    const bool product = op.role == Role::linear || op.role == Role::expert_linear ||
                         op.role == Role::head || op.role == Role::router ||
                         op.role == Role::adapter;
    const double weights = product ? op.parameters * weight_bytes(type) : 0;
    // Context parallelism computes attention in one part for each rank, on two streams in turn
    // (Transformer Engine), so that every second kernel starts while another one runs.
    const double launched = op.role == Role::attention ? input.workload.plan.context : 1;
    const double parts = (1 + launched) / 2;
    const double waves = in_waves(op, type, false);
    const double forward =
        add(result.forward, type, op.operator_class, op.forward.base() * waves,
            op.forward_traffic.base() * dispatch + weights, op.forward_kernels * parts);
    OperatorClass backward_class = op.operator_class;
    if (backward_class == OperatorClass::attention_forward) {
        backward_class = OperatorClass::attention_backward;
    }
    // The weight gradient is accumulated: read and written in its own type.
    const double gradient =
        product && op.trains ? 2 * op.parameters * bytes_per_element(input.workload.gradients) : 0;
    const double backward = add(
        result.backward, type, backward_class, op.backward.base() * in_waves(op, type, true),
        op.backward_traffic.base() * dispatch + weights + gradient, op.backward_kernels * parts);
    launch(result.forward, (launched - parts) * op.forward_kernels);
    launch(result.backward, (launched - parts) * op.backward_kernels);
    if (op.role == Role::attention) {
        merge_context(op);
        result.attention_forward += forward;
        result.attention_backward += backward;
    } else if (product) {
        result.products_forward += forward;
        result.products_backward += backward;
    }
    if (op.matrices > 1 && input.software.runtime.product_per_expert()) {
        // Each local expert's product is launched by itself, side by side on several streams.
        launch(result.forward, (op.matrices - 1) * op.forward_kernels);
        launch(result.backward, (op.matrices - 1) * op.backward_kernels);
        launch(result.quantize, is_low_precision(type) ? 2 * (op.matrices - 1) : 0);
    }
    const double share = recomputed_share(op);
    if (share > 0) {
        add(result.recompute, type, op.operator_class, share * op.forward.base() * waves,
            share * (op.forward_traffic.base() * dispatch + weights),
            share * op.forward_kernels * parts);
    }
    if (product && is_low_precision(type)) {
        cast_operands(op, type, op.parameters);
    } else if (product) {
        cast_wide_operands(op);
    }
    if (op.quantized && op.rows > 0) {
        expand_weights(op);
    }
}

void BlockFold::count(const Operator& op) {
    const bool matrix_work = op.role == Role::linear || op.role == Role::expert_linear ||
                             op.role == Role::head || op.role == Role::router ||
                             op.role == Role::adapter || op.role == Role::attention;
    if (matrix_work) {
        const double forward = op.forward.base();
        // A flash backward recomputes the scores; the model needs twice the forward products.
        const double backward = op.role == Role::attention ? 2 * forward : op.backward.base();
        result.model_flops += op.useful * (forward + backward);
    }
    if (op.tied) {
        return;
    }
    (op.expert ? result.expert_parameters : result.parameters) += op.parameters;
    if (op.trains || op.role == Role::adapter) {
        (op.expert ? result.expert_trained : result.trained) += op.parameters;
    }
}

void BlockFold::operator_time(const Operator& op) {
    name = op.name;
    ++index;
    passes(op);
    count(op);
}

}  // namespace

BlockTime time_block(const Block& block, const EstimateInput& input, RecomputeMode recompute,
                     OperatorLog* log) {
    BlockFold fold{.input = input,
                   .tensors = block.tensors,
                   .recompute = recompute,
                   .result = {},
                   .log = log,
                   .block = block.name,
                   .last = block.operators.data() + block.operators.size()};
    // How many tokens reach an expert is known on the device alone, while a graph has fixed shapes.
    const bool routes = std::ranges::any_of(block.operators, &Operator::expert);
    fold.captured = input.workload.cuda_graphs && !routes;
    for (const Operator& op : block.operators) {
        fold.operator_time(op);
    }
    if (routes) {
        fold.result.held = held_by_walk(input, fold.result, recompute);
    }
    return fold.result;
}

}  // namespace ridgeline
