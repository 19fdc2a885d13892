// Walks the operators of one pass of a serving engine, and what its ranks exchange.
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

}  // namespace

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
        before.launches += repeat * launches_of(op, moe);
    }
    result.gaps = kernels * input.software.engine.kernel_gap.base() * kernel_pace();
    exchange(block, 1);
    if (experts_away > 0 && host_computes() && input.workload.serving->host_expert_layers > 0) {
        // Each layer's tokens go to the host and come back.
        result.host += experts_away * 2 * host_wait;
    }
    before.host += repeat * result.host;
    before.launches += repeat * result.launches;
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
        result.launches += starts_own_kernels() ? repeat * block.tensor_parallel_messages : 0;
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
    // llama.cpp, which runs GGUF files, leaves the token table in host memory; what is tied to it
    // goes to the last card as the head. On one card the table stands for both.
    const bool heads_elsewhere =
        workload.plan.pipeline > 1 && op.role == Role::embedding && block.name != "vision";
    if (block.position == Block::Position::first &&
        (!architecture.tied_embeddings || heads_elsewhere) &&
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
