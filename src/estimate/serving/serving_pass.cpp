// The kernels of a serving stack. Its decode runs from a captured graph, where the fixed time of a
// kernel is that of the stack (SoftwareProfile::kernel_gap), not the one of a kernel measured
// alone, so the calibrated t0 is taken out and the gap put in.
#include "estimate/serving/serving_pass.h"

#include "estimate/serving/gguf.h"
#include "estimate/serving/library_products.h"
#include "estimate/serving/served_weights.h"
#include "estimate/time/host_time.h"
#include "estimate/time/peer_access.h"
#include "estimate/time/roofline.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

/// Of the calibrated grouped rate that prompts reach where the part has no units for the type of
/// the experts.
constexpr double expert_prompt_share = 0.5;
/// Memory rate of a usual host, for layers that stay there: 0.8 of two channels of DDR5-5600
/// (89.6 GB/s), assumed.
constexpr BytesPerSecond usual_host_rate = 70.0 * gigabyte_per_second;
/// Added to a server's own all-reduce each time that the ranks double (vLLM and TensorRT-LLM in
/// ai-dynamo/aiconfigurator silicon_sample.csv: 1.0 and 0.9 us).
constexpr Seconds all_reduce_per_doubling = 1.0 * microsecond;

bool is_product(Role role) {
    return role == Role::linear || role == Role::expert_linear || role == Role::head ||
           role == Role::router;
}

struct PassFold {
    const EstimateInput& input;
    const LinkModel& links;
    const Pass& pass;
    const ServedWeights stored;
    ServedPass result;
    const double* weights = nullptr;  ///< bytes of each operator of the block
    double read_weights = 0;          ///< bytes, of the block
    bool decode = false;
    bool fused = false;
    OperatorLog* log = nullptr;

    [[nodiscard]] const TransformerStack& stack() const { return input.architecture.text(); }
    [[nodiscard]] ComputeType type_of(const Operator& op) const;
    [[nodiscard]] double tokens_on_rank() const { return pass.samples * pass.tokens; }
    [[nodiscard]] double memory_share() const;
    /// The part has units for the type in which the quantised weights are meant to compute.
    [[nodiscard]] bool native_format() const {
        const QuantFormat* format = stored.format();
        return format && input.device.supported[static_cast<std::size_t>(format->compute)];
    }
    [[nodiscard]] double reads_of_cache() const;
    [[nodiscard]] double cache_share() const;
    [[nodiscard]] double host_rate() const;
    [[nodiscard]] double prompt_share(Role role) const;
    [[nodiscard]] double around_product(const Operator& op,
                                        const GemmShape& shape,
                                        double weight_bytes) const;
    double stored_scores(const Operator& op, ComputeType type);

    /// Device time without the fixed part, which `gaps` counts.
    double work(const OperatorTime& time, ComputeType type, OperatorClass operator_class) {
        result.worst_tier = std::max(result.worst_tier, time.tier);
        const double fixed = input.device.terms_of(type, operator_class).overhead;
        const double seconds = std::max(0.0, time.time.base() - fixed);
        if (time.bound == Bound::compute) {
            result.compute_bound += seconds;
        }
        return seconds;
    }
    void run(const Operator& op, double n, double weight_bytes);
    void note(const Operator& op, const Block& block, const ServedPass& before);
    double product(const Operator& op, double n, double weight_bytes);
    double experts(const Operator& op, double n, double weight_bytes);
    double attention(const Operator& op);
    double streaming(const Operator& op);
    [[nodiscard]] bool has_bias(const Operator& op) const;
    [[nodiscard]] double casts_around(const Operator& op) const;
    double kernels_of(const Operator& op, bool moe) const;
    void block(const Block& block, double repeat);
    void exchange(const Block& block, double repeat);
};

ComputeType PassFold::type_of(const Operator& op) const {
    const ComputeType asked = input.workload.compute;
    const bool low = asked == ComputeType::fp8 || asked == ComputeType::mxfp8 ||
                     asked == ComputeType::fp4 || asked == ComputeType::int8;
    const bool wide_role = op.role != Role::linear && op.role != Role::expert_linear;
    ComputeType type = asked;
    if (low && (wide_role || (stored.format() && !stored.quantized(op)))) {
        type = ComputeType::bf16;
    }
    const bool half = type == ComputeType::fp16 || type == ComputeType::bf16;
    if (input.software.engine.half_accumulate && half && !decode) {
        type = ComputeType::fp16_fp16_accumulate;
    }
    return type;
}

double PassFold::memory_share() const {
    const bool stacked = input.device.accelerator->stacked_memory;
    return decode && stacked ? input.software.engine.stacked_memory_share : 1;
}

double PassFold::prompt_share(Role role) const {
    // A prompt keeps the matrix units busy long enough for the power limit to set their clock.
    const double rate = input.device.sustained_rate;
    if (role == Role::expert_linear) {
        return native_format() ? rate : rate * expert_prompt_share;
    }
    double share = 1;
    for (const ArchitectureShare& entry : input.software.engine.prompt_shares) {
        if (entry.architecture == input.device.accelerator->architecture) {
            return rate * entry.share;
        }
        share = entry.architecture.empty() ? entry.share : share;
    }
    return rate * share;
}

/// Rows up to which packed weights go through kernels that take a row at a time and pad none to a
/// tile (MMVQ_MAX_BATCH_SIZE of ggml).
constexpr double most_vector_rows = 8;

OperatorTime vector_time(const DeviceModel& device,
                         ComputeType type,
                         const GemmShape& shape,
                         double weight_bytes) {
    const double activations =
        gemm_traffic(type, shape).base() -
        bytes_per_element(storage_of(type)) * shape.n * shape.k * shape.count;
    return roofline_time(device,
                         type,
                         OperatorClass::gemv,
                         shape.flops(),
                         Bytes::of_base(activations + weight_bytes));
}

/// What a prompt runs around a product of a library in 16 bits.
double PassFold::around_product(const Operator& op, const GemmShape& shape, double weight_bytes) const {
    if (decode || !input.software.engine.half_accumulate || shape.m <= most_vector_rows) {
        return 0;
    }
    const bool packed = stored.quantized(op) && stored.format()->dequantizes;
    return cast_time(input.device, shape) +
           (packed ? expansion_time(input.device, shape, weight_bytes) : 0);
}

double PassFold::product(const Operator& op, double n, double weight_bytes) {
    const ComputeType type = type_of(op);
    const OperatorClass operator_class = decode ? OperatorClass::gemv : OperatorClass::gemm;
    GemmShape shape = op.gemm;
    shape.n = n;
    const double read = weight_bytes / memory_share();
    const bool by_vector = decode && stored.quantized(op) && stored.format()->dequantizes &&
                           shape.m <= most_vector_rows;
    const OperatorTime time = by_vector
                                  ? vector_time(input.device, type, shape, read)
                                  : gemm_time(input.device, type, shape, operator_class, read);
    read_weights += weight_bytes;
    result.flops += shape.flops().base();
    result.bytes += op.forward_traffic.base() + weight_bytes;
    const double share = decode ? 1 : prompt_share(op.role);
    return around_product(op, shape, weight_bytes) + work(time, type, operator_class) / share;
}

double PassFold::host_rate() const {
    const Accelerator& part = *input.device.accelerator;
    const double link =
        part.host_rate.value_or(part.pcie_rate.value_or(32 * gigabyte_per_second)).base();
    const double memory = usual_host_rate.base();
    return decode && memory > 0 ? memory : link;
}

/// Only the experts that the batch touches are read: of E experts, a batch of n tokens that choose
/// k each leaves (1 - k / E)^n untouched when the choice is even.
double PassFold::experts(const Operator& op, double n, double weight_bytes) {
    const MixtureOfExperts& moe = *stack().moe;
    const double all = moe.experts;
    const double chosen = moe.experts_per_token;
    const double spread = std::max(1, input.workload.plan.expert);
    const double tokens = tokens_on_rank() * (spread > 1 ? spread : 1);
    const double touched = 1 - std::pow(1 - chosen / all, tokens);
    GemmShape shape = op.gemm;
    shape.n = n;
    read_weights += touched * weight_bytes;
    shape.m = op.gemm.m / touched;  // tokens of one touched expert
    shape.count = op.gemm.count * touched;
    const ComputeType type = type_of(op);
    const OperatorTime time =
        gemm_time(input.device, type, shape, OperatorClass::grouped_gemm, weight_bytes * touched);
    result.flops += shape.flops().base();
    result.bytes += op.forward_traffic.base() + weight_bytes * touched;
    return around_product(op, shape, touched * weight_bytes) +
           work(time, type, OperatorClass::grouped_gemm) / (decode ? 1 : prompt_share(op.role));
}

/// Times that a decode kernel reads each key and value.
double PassFold::reads_of_cache() const {
    const std::vector<int>& shared = input.software.engine.shared_query_groups;
    const TransformerStack& s = stack();
    const int group = s.kv_heads > 0 && !s.mla ? s.heads / s.kv_heads : 1;
    const bool once = shared.empty() || std::ranges::find(shared, group) != shared.end();
    return once ? 1 : group;
}

/// Of the rate of a 16-bit cache that decode reaches on a narrower one.
double PassFold::cache_share() const {
    if (bytes_per_element(input.workload.kv_cache) >= 2 || stack().mla) {
        return 1;
    }
    double share = 1;
    for (const ArchitectureShare& entry : input.software.engine.narrow_cache_shares) {
        if (entry.architecture == input.device.accelerator->architecture) {
            return entry.share;
        }
        share = entry.architecture.empty() ? entry.share : share;
    }
    return share;
}

/// Attention of a prompt as two products of a library, with the scores in memory between them.
double PassFold::stored_scores(const Operator& op, ComputeType type) {
    const double width = (op.gemm.n + op.gemm.k) / 2;
    const double rows = pass.samples * pass.tokens;
    const double heads = op.forward.base() / (4 * width * rows * pass.context);
    const StoredScores scores{heads * pass.samples, pass.tokens, pass.context, width};
    double seconds = score_time(input.device, scores);
    for (const GemmShape& shape : {query_key_product(scores), score_value_product(scores)}) {
        const OperatorTime time = gemm_time(input.device, type, shape);
        seconds += work(time, type, OperatorClass::gemm) / prompt_share(op.role);
    }
    return seconds;
}

double PassFold::attention(const Operator& op) {
    // Parts without units for bf16 multiply queries and keys in fp16.
    const auto has = [this](ComputeType type) {
        return input.device.supported[static_cast<std::size_t>(type)];
    };
    const ComputeType type = !has(ComputeType::bf16) && has(ComputeType::fp16) ? ComputeType::fp16
                                                                               : ComputeType::bf16;
    double traffic = op.forward_traffic.base();
    const double share = input.software.engine.attention_share;
    if (decode) {
        traffic *= bytes_per_element(input.workload.kv_cache) / 2;
        traffic *= reads_of_cache() / cache_share();
    }
    result.flops += op.forward.base();
    result.bytes += traffic;
    if (!decode && input.software.engine.half_accumulate &&
        input.workload.attention == AttentionKernel::eager) {
        return stored_scores(op, type_of(op));
    }
    return 1 / share *
           work(roofline_time(
                    input.device, type, op.operator_class, op.forward, Bytes::of_base(traffic)),
                type,
                op.operator_class);
}

double PassFold::streaming(const Operator& op) {
    if (fused && op.role == Role::residual) {
        return 0;  // added by the norm that follows
    }
    const ComputeType type = ComputeType::bf16;
    const bool dispatch = op.role == Role::dispatch && !decode;
    result.bytes += op.forward_traffic.base();
    return work(roofline_time(input.device, type, op.operator_class, Flops{}, op.forward_traffic),
                type,
                op.operator_class) /
           (dispatch ? input.software.runtime.expert_dispatch_share() : 1);
}

/// A product or a norm that adds a vector, for which a stack that joins nothing runs a kernel of its
/// own (ggml: ggml_mul_mat, ggml_norm and ggml_mul are followed by ggml_add).
bool PassFold::has_bias(const Operator& op) const {
    if (op.role == Role::norm) {
        return stack().norm == NormType::layernorm;
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

double PassFold::kernels_of(const Operator& op, bool moe) const {
    if (op.forward_kernels == 0) {
        return 0;
    }
    if (!fused) {
        return op.forward_kernels + (has_bias(op) ? 1 : 0) + casts_around(op);
    }
    // With units for the type of the experts, stacks run choice, products and activation of a
    // mixture of experts in two kernels; else each part has its own.
    const bool one_kernel = moe && native_format();
    if (one_kernel && (op.role == Role::dispatch || op.role == Role::activation)) {
        return 0;
    }
    if (one_kernel && (op.role == Role::router || op.role == Role::expert_linear)) {
        return op.role == Role::router ? 1 : 0.5;
    }
    switch (op.role) {
        case Role::residual:
            return 0;
        case Role::rotary:
            return 0.5;  // q and k together
        case Role::attention:
            return 2;  // append to the cache, attend
        case Role::router:
            return 2;  // product, choice
        case Role::dispatch:
            return 1;
        default:
            return 1;
    }
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
    read_weights = 0;
    result.worst_tier = before.worst_tier;
    double kernels = 0;
    const bool moe = std::ranges::any_of(
        block.operators, [](const Operator& op) { return op.role == Role::expert_linear; });
    for (std::size_t i = 0; i < block.operators.size(); ++i) {
        const Operator& op = block.operators[i];
        const ServedPass at = result;
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
        note(op, block, at);
        kernels += kernels_of(op, moe);
        before.launches += repeat * op.forward_kernels;
    }
    // Stacks that join nothing launch from a stream where the part is older than captured graphs.
    const double pace = fused ? 1 : host_pace(*input.device.accelerator);
    result.gaps = kernels * input.software.engine.kernel_gap.base() * pace;
    exchange(block, 1);
    // A decode step computes the host's layers there, at the rate of its memory; a prompt sends
    // their weights to the accelerator.
    const double away = block.position == Block::Position::first
                            ? 0
                            : host_share(input.workload, input.architecture, block);
    before.host += repeat * away * read_weights / host_rate();
    repeat *= decode ? 1 - away : 1;
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

void PassFold::exchange(const Block& block, double repeat) {
    const Plan& plan = input.workload.plan;
    if (plan.tensor > 1 && block.tensor_parallel_messages > 0) {
        const auto slot = static_cast<std::size_t>(Collective::all_reduce);
        const auto& curves = links.inside[slot];
        double time = collective_time(links,
                                      Collective::all_reduce,
                                      block.tensor_parallel_message,
                                      plan.tensor,
                                      std::min(plan.tensor, links.per_node))
                          .time.base();
        const double own = input.software.engine.all_reduce_latency.base() +
                           all_reduce_per_doubling.base() * (std::log2(plan.tensor) - 1);
        const bool inside = static_cast<std::size_t>(plan.tensor) < curves.size();
        const bool peers = plan.tensor <= direct_peers(input.cluster, links.domain);
        if (input.software.engine.all_reduce_latency.base() > 0 && inside && peers) {
            // Serving stacks reduce small messages with a kernel of their own, which reads the
            // memory of the other cards.
            time -= std::max(0.0, curves[static_cast<std::size_t>(plan.tensor)].alpha - own);
        }
        result.communication += repeat * block.tensor_parallel_messages * time;
    }
    if (plan.expert > 1 && block.expert_messages > 0) {
        result.communication += repeat * block.expert_messages *
                                collective_time(links,
                                                Collective::all_to_all,
                                                block.expert_message,
                                                plan.expert,
                                                std::min(plan.expert, links.per_node))
                                    .time.base();
    }
}

}  // namespace

double host_share(const Workload& workload, const Architecture& architecture, const Block& block) {
    const Serving serving = workload.serving.value_or(Serving{});
    // llama.cpp, which runs GGUF files, leaves the token table in host memory.
    if (gguf_file(workload.quantization.name) && block.position == Block::Position::first &&
        !architecture.tied_embeddings) {
        return 1;
    }
    if (!serving.gpu_layers) {
        return 0;
    }
    const double layers = std::max(1, architecture.text().layers);
    const double kept = std::min<double>(*serving.gpu_layers, layers);
    if (block.position == Block::Position::layer) {
        return 1 - kept / layers;
    }
    // The output table follows the last layer.
    return *serving.gpu_layers > layers ? 0 : 1;
}

PreparedPass prepare_pass(const Architecture& architecture,
                          const Workload& workload,
                          const SoftwareProfile& software,
                          const Pass& pass) {
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

ServedPass serve_pass(const EstimateInput& input,
                      const LinkModel& links,
                      const PreparedPass& prepared,
                      OperatorLog* log) {
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
    // Modules of torch, called one after another: the device waits where it is the faster.
    if (input.software.runtime.kind == RuntimeKind::plain) {
        ServedPass& pass = fold.result;
        PassCost cost;
        cost.device = pass.total();
        cost.kernels = pass.launches;
        pass.gaps += host_excess(input, cost, 0);
    }
    return fold.result;
}

ServedPass serve_pass(const EstimateInput& input,
                      const LinkModel& links,
                      const Pass& pass,
                      OperatorLog* log) {
    return serve_pass(
        input, links, prepare_pass(input.architecture, input.workload, input.software, pass), log);
}

}  // namespace ridgeline
