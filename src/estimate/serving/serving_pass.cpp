// The kernels of a serving stack. Its decode runs from a captured graph, where the fixed time of a
// kernel is that of the stack (SoftwareProfile::kernel_gap), not the one of a kernel measured
// alone, so the calibrated t0 is taken out and the gap put in.
#include "estimate/serving/serving_pass.h"

#include "estimate/serving/gguf.h"
#include "estimate/serving/pass_fold.h"
#include "estimate/time/engine_reduce.h"
#include "estimate/time/host_time.h"
#include "estimate/time/peer_access.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

/// Most bytes that vLLM's and TensorRT-LLM's own all-reduce takes (vllm custom_all_reduce.py,
/// max_size); larger messages are the library's.
constexpr double largest_own_message = 8.0 * 1024 * 1024;

/// Added to a server's own all-reduce each time that the ranks double (vLLM and TensorRT-LLM in
/// ai-dynamo/aiconfigurator silicon_sample.csv: 1.0 and 0.9 us).
constexpr Seconds all_reduce_per_doubling = 1.0 * microsecond;

/// Clock at which the fixed time of a kernel is stated: that of H200 and B200, on which the
/// engines' own was found.
constexpr double stated_clock_mhz = 1970;

/// MHz; 0: unknown. Of Apple's parts, which state none, by their rate: a core adds and multiplies
/// 128 numbers a cycle.
double clock_of(const Accelerator& part) {
    const bool apple = part.architecture == "Apple GPU" && part.peak_vector_fp32 && part.units;
    return apple ? part.peak_vector_fp32->base() / (*part.units * 2 * 128) / 1e6
                 : part.boost_clock_mhz.value_or(0);
}

}  // namespace

/// Fixed time of a kernel over that of its stack: starting and ending one takes so many cycles.
double PassFold::kernel_pace() const {
    const Accelerator& part = *input.device.accelerator;
    const double clock = clock_of(part);
    const double cycles = clock > 0 ? stated_clock_mhz / clock : 1;
    // Stacks that join nothing launch from a stream where the part is older than captured graphs.
    const double host = host_pace(part);
    return fused || host <= 1 ? cycles : std::max(cycles, host);
}

/// A product or a norm that adds a vector, for which a stack that joins nothing runs a kernel of
/// its own (ggml: ggml_mul_mat, ggml_norm and ggml_mul are followed by ggml_add).
bool PassFold::has_bias(const Operator& op) const {
    if (op.role == Role::norm) {
        return tower().norm == NormType::layernorm;
    }
    const double multiplied = op.rows * op.columns * std::max(1.0, op.matrices);
    return is_product(op.role) && multiplied > 0 && op.parameters > multiplied;
}

/// Kernels around the products of a decode step of several sequences that go to a library in 16
/// bits: activations there and results back, and twice that with the softmax between (from
/// Turing on ggml has kernels of its own for few rows, and Metal multiplies fp32 as it is).
double PassFold::casts_around(const Operator& op) const {
    const std::string& architecture = input.device.accelerator->architecture;
    const bool library = decode && pass.samples > 1 && input.software.engine.half_accumulate &&
                         (architecture == "Pascal" || architecture == "Volta");
    if (!library) {
        return 0;
    }
    if (op.role == Role::attention) {
        return input.workload.attention == AttentionKernel::eager ? 4 : 0;
    }
    const bool packed = stored.quantized(op) && stored.format()->dequantizes;
    return is_product(op.role) && !(packed && op.gemm.m <= most_vector_rows) ? 2 : 0;
}

/// An activation without a gate, which the product before it applies to its sums.
bool PassFold::in_epilogue(const Operator& op) const {
    return input.software.engine.fuses_epilogues && op.role == Role::activation &&
           op.inputs[1] == no_tensor;
}

double PassFold::kernels_of(const Operator& op, bool moe) const {
    if (op.forward_kernels == 0) {
        return 0;
    }
    // What ggml joins begins with a norm of root mean squares or ends in a gate: models with layer
    // norms (Whisper, GPT-2) keep a kernel for each operator.
    if (input.software.engine.fuses_neighbours && few_rows() && tower().norm == NormType::rmsnorm) {
        switch (op.role) {
            case Role::router:
                return 2;  // product, choice
            case Role::dispatch:
                return 0.5;  // the outputs of a token's experts are weighed and added
            case Role::activation:
                // With the two products that it joins one kernel.
                return op.inputs[1] != no_tensor ? -1 : 0;
            default:
                return 1;
        }
    }
    if (!fused) {
        return op.forward_kernels + (has_bias(op) ? 1 : 0) + casts_around(op);
    }
    // With units for 4-bit experts, stacks run choice, products and activation of a mixture of
    // experts in two kernels; else each part has its own.
    const bool one_kernel = moe && native_format() && stored.format()->bits < 8;
    if (one_kernel && (op.role == Role::dispatch || op.role == Role::activation)) {
        return 0;
    }
    if (one_kernel && (op.role == Role::router || op.role == Role::expert_linear)) {
        return op.role == Role::router ? 1 : 0.5;
    }
    switch (op.role) {
        case Role::residual:
            return 0;
        case Role::activation:
            return in_epilogue(op) ? 0 : 1;
        case Role::rotary:
            return 0.5;  // q and k together
        case Role::attention:
            return tower().causal ? 2 : 1;  // append to the cache, which encoders lack; attend
        case Role::router:
            return 2;  // product, choice
        case Role::linear:
            // Marlin and AWQ cut sums into parts, which pass through memory one after another.
            return stored.quantized(op) &&
                           (by_marlin(*stored.format(), input.software) ||
                            by_awq_kernels(*stored.format(), input.software, op.gemm.m))
                       ? 2
                       : 1;
        default:
            return 1;
    }
}

/// Kernels that a stack without graphs starts for an operator.
double PassFold::launches_of(const Operator& op) const {
    const bool packed = stored.quantized(op) && input.software.runtime.runs_transformers();
    const double bias = packed && has_bias(op) && stored.format()->dequantizes ? 1 : 0;
    return op.forward_kernels + (op.role == Role::attention ? copies_of(op).kernels : 0) +
           (packed ? bias + packed_launches(*stored.format(), input.workload, input.software,
                                            op.gemm.m)
                   : 0);
}

void PassFold::run(const Operator& op, double n, double weight_bytes) {
    if (op.role == Role::expert_linear) {
        result.products += experts(op, n, weight_bytes);
    } else if (is_product(op.role)) {
        result.products += product(op, n, weight_bytes);
    } else if (op.role == Role::attention) {
        result.attention += attention(op);
    } else {
        result.streaming += streaming(op);
    }
}

/// Few tokens are multiplied where the weights are, at the rate of the host's memory; for more the
/// weights are sent to the accelerator before each product (ggml-org/llama.cpp #25859: one after
/// another).
///
/// away  share of the operator
/// read  bytes of its weights
void PassFold::leave_to_host(double away, double read, const ServedPass& before) {
    if (away <= 0) {
        return;
    }
    result.host += away * read / host_rate();
    if (!host_computes()) {
        return;
    }
    for (const auto part : {&ServedPass::products, &ServedPass::attention, &ServedPass::streaming,
                            &ServedPass::compute_bound, &ServedPass::flops, &ServedPass::bytes}) {
        result.*part -= away * (result.*part - before.*part);
    }
}

/// Writes down what an operator added to the pass.
void PassFold::note(const Operator& op, const Block& block, const ServedPass& before) {
    if (log == nullptr) {
        return;
    }
    log->push_back(
        {.block = block.name,
         .name = op.name,
         .phase = decode ? "decode" : "prompt",
         .operator_class = op.operator_class,
         .type = is_product(op.role) ? type_of(op) : ComputeType::bf16,
         .flops = result.flops - before.flops,
         .bytes = result.bytes - before.bytes,
         .seconds = result.total() - before.total(),
         .bound = result.compute_bound > before.compute_bound ? Bound::compute : Bound::memory,
         .repeat = static_cast<double>(block.repeat)});
}

void PassFold::block(const Block& block, double repeat) {
    ServedPass before = result;
    result = ServedPass{};
    at = &block;
    read_weights = 0;
    result.worst_tier = before.worst_tier;
    double kernels = 0;
    const bool moe = std::ranges::any_of(
        block.operators, [](const Operator& op) { return op.role == Role::expert_linear; });
    double experts_away = 0;
    for (std::size_t i = 0; i < block.operators.size(); ++i) {
        const Operator& op = block.operators[i];
        const ServedPass before_it = result;
        const double read = read_weights;
        const double away = share_away(block, op);
        if (is_product(op.role)) {
            double n = op.gemm.n;
            double bytes = weights[i];
            // Products of one input run as one in stacks that fuse them (q, k, v; gate, up).
            while (fused && i + 1 < block.operators.size() &&
                   block.operators[i + 1].role == op.role &&
                   block.operators[i + 1].inputs[0] == op.inputs[0]) {
                ++i;
                n += block.operators[i].gemm.n;
                bytes += weights[i];
            }
            run(op, n, bytes);
        } else {
            run(op, 0, 0);
        }
        leave_to_host(away, read_weights - read, before_it);
        experts_away = op.role == Role::expert_linear ? away : experts_away;
        note(op, block, before_it);
        kernels += kernels_of(op, moe) * (host_computes() ? 1 - away : 1);
        before.launches += repeat * launches_of(op);
    }
    result.gaps = kernels * input.software.engine.kernel_gap.base() * kernel_pace();
    exchange(block, 1);
    if (experts_away > 0 && host_computes() && input.workload.serving->host_expert_layers > 0) {
        // Each layer's tokens go to the host and come back.
        result.host += experts_away * 2 * host_wait;
    }
    before.host += repeat * result.host;
    before.products += repeat * result.products;
    before.attention += repeat * result.attention;
    before.streaming += repeat * result.streaming;
    before.gaps += repeat * result.gaps;
    before.communication += repeat * result.communication;
    before.compute_bound += repeat * result.compute_bound;
    before.flops += repeat * result.flops;
    before.bytes += repeat * result.bytes;
    before.worst_tier = std::max(before.worst_tier, result.worst_tier);
    result = before;
}

/// What `block` adds to the pass's attention.
double PassFold::attention_of(const Block& block) {
    result = ServedPass{};
    for (const Operator& op : block.operators) {
        if (op.role == Role::attention) {
            const ServedPass before = result;
            result.attention += attention(op);
            leave_to_host(share_away(block, op), 0, before);
        }
    }
    return block.repeat * result.attention;
}

void PassFold::exchange(const Block& block, double repeat) {
    const Plan& plan = input.workload.plan;
    if (plan.tensor > 1 && block.tensor_parallel_messages > 0) {
        const auto slot = static_cast<std::size_t>(Collective::all_reduce);
        const auto& curves = links.inside[slot];
        double time = collective_time(links, Collective::all_reduce, block.tensor_parallel_message,
                                      plan.tensor, std::min(plan.tensor, links.per_node))
                          .time.base();
        const double own = input.software.engine.all_reduce_latency.base() +
                           all_reduce_per_doubling.base() * (std::log2(plan.tensor) - 1);
        const bool inside = static_cast<std::size_t>(plan.tensor) < curves.size();
        const bool peers = plan.tensor <= direct_peers(input.cluster, links.domain);
        if (input.software.engine.all_reduce_latency.base() > 0 && inside && peers) {
            // Serving stacks reduce small messages with a kernel of their own, which reads the
            // memory of the other cards.
            const auto ranks = static_cast<std::size_t>(plan.tensor);
            const double bytes = block.tensor_parallel_message.base();
            const std::vector<LinkCurve> known_reduce =
                known_reduce_curves(input.calibration, input.cluster, links.domain);
            if (known_reduce.empty()) {
                time -= std::max(0.0, curves[ranks].alpha - own);
            } else if (bytes <=
                       largest_own_message) {  // a measurement of the library is none of it
                const LinkCurve& known = known_reduce[ranks];
                time = std::min(known.alpha, own) +
                       bus_factor(Collective::all_reduce, plan.tensor) * bytes *
                           known.seconds_per_byte +
                       known.gamma * std::sqrt(bytes);
            }
        }
        result.communication += repeat * block.tensor_parallel_messages * time;
    }
    if (plan.expert > 1 && block.expert_messages > 0) {
        result.communication += repeat * block.expert_messages *
                                collective_time(links, Collective::all_to_all, block.expert_message,
                                                plan.expert, std::min(plan.expert, links.per_node))
                                    .time.base();
    }
}

double host_share(const Workload& workload, const Architecture& architecture, const Block& block,
                  const Operator& op) {
    // llama.cpp, which runs GGUF files, leaves the token table in host memory.
    if (block.position == Block::Position::first && !architecture.tied_embeddings &&
        gguf_file(workload.quantization.name)) {
        return 1;
    }
    if (!workload.serving ||
        (!workload.serving->gpu_layers && workload.serving->host_expert_layers <= 0)) {
        return 0;
    }
    const Serving& serving = *workload.serving;
    const double layers = std::max(1, architecture.text().layers);
    if (block.position != Block::Position::layer) {
        // The output table follows the last layer.
        return serving.gpu_layers.value_or(layers + 1) > layers ? 0 : 1;
    }
    const double away = 1 - std::min<double>(serving.gpu_layers.value_or(layers), layers) / layers;
    if (op.role != Role::expert_linear) {
        return away;
    }
    // Counted from the first layer on, whether it has experts or none.
    const double dense = architecture.text().moe->first_dense_layers;
    const double first = (serving.host_expert_layers - dense) / std::max(1.0, layers - dense);
    return std::clamp(first, away, 1.0);
}

PreparedPass prepare_pass(const Architecture& architecture, const Workload& workload,
                          const SoftwareProfile& software, const Pass& pass) {
    PreparedPass prepared{
        .pass = pass,
        .list = list_operators(architecture, workload, software, pass),
        .weights = {},
    };
    const ServedWeights stored(architecture, workload);
    for (const Block& block : prepared.list) {
        for (const Operator& op : block.operators) {
            const double bytes = is_product(op.role) ? stored.bytes(block, op) : 0;
            prepared.weights.push_back(bytes);
        }
    }
    return prepared;
}

ServedPass serve_pass(const EstimateInput& input, const LinkModel& links,
                      const PreparedPass& prepared, OperatorLog* log) {
    PassFold fold{.input = input,
                  .links = links,
                  .pass = prepared.pass,
                  .stored = ServedWeights(input.architecture, input.workload),
                  .result = {},
                  .weights = prepared.weights.data(),
                  .decode = prepared.pass.tokens <= 1,
                  .fused = input.software.engine.fuses_products,
                  .log = log};
    for (const Block& block : prepared.list) {
        fold.block(block, block.repeat);
        fold.weights += block.operators.size();
    }
    ServedPass& pass = fold.result;
    pass.gaps += host_time(input, prepared.list, prepared.pass,
                           {.device = pass.total(), .launches = pass.launches});
    return pass;
}

ServedPass serve_pass(const EstimateInput& input, const LinkModel& links, const Pass& pass,
                      OperatorLog* log) {
    return serve_pass(input, links,
                      prepare_pass(input.architecture, input.workload, input.software, pass), log);
}

double pass_attention(const EstimateInput& input, const LinkModel& links, const Pass& pass) {
    PassFold fold{.input = input,
                  .links = links,
                  .pass = pass,
                  .stored = ServedWeights(input.architecture, input.workload),
                  .result = {},
                  .decode = pass.tokens <= 1,
                  .fused = input.software.engine.fuses_products};
    double seconds = 0;
    for (const Block& block :
         list_operators(input.architecture, input.workload, input.software, pass)) {
        seconds += fold.attention_of(block);
    }
    return seconds;
}

double hand_over(const EstimateInput& input, const LinkModel& links, double tokens, double stages) {
    if (stages <= 1) {
        return 0;
    }
    const double bytes = tokens * input.architecture.text().hidden * 2;
    const Plan& plan = input.workload.plan;
    const bool leaves_node = plan.tensor * plan.pipeline > links.per_node;
    const int per_node = leaves_node ? 1 : std::min(2, links.per_node);
    const CollectiveTime message =
        collective_time(links, Collective::point_to_point, Bytes::of_base(bytes), 2, per_node);
    return (stages - 1) * message.time.base();
}

}  // namespace ridgeline
