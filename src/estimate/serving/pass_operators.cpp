// What one operator of a serving pass takes: products, experts, attention, streams.
#include "base/lists.h"
#include "estimate/serving/library_products.h"
#include "estimate/serving/module_work.h"
#include "estimate/serving/pass_fold.h"
#include "estimate/time/host_time.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

/// Of an assumed grouped rate, and of one of wider types in which packed experts are expanded, that
/// prompts reach.
constexpr double expert_prompt_share = 0.5;
/// Of the streaming rate, that servers reach where tokens go to experts and back, if kernels of
/// experts were not measured: rows are copied, padded and summed (gpt-oss and DeepSeek in
/// ai-dynamo/aiconfigurator silicon_sample.csv, among the rows fitted there).
constexpr double unmeasured_dispatch_share = 0.18;
/// The same of the sum over a token's experts and the sorting of their places, all that is left
/// around fused products (ai-dynamo/aiconfigurator 095f58a51, moe tables of three engines on A100,
/// H100 and H200: 0.1 to 0.9 in fits that leave the share open).
constexpr double fused_sum_share = 0.35;
/// Memory rate of a usual host, for layers that stay there: two channels of DDR5-5600, assumed, and
/// what of a nominal rate is reached.
constexpr double usual_host_rate = 89.6;  // GB/s
constexpr double host_reached = 0.78125;

/// Rows of a tile of sorted tokens, which is multiplied once more where another expert begins in it
/// (MLX, affine_gather_qmm_rhs: bm 16).
constexpr double sorted_tile_rows = 16;

/// AWQ's own product (gemm_forward_cuda of AutoAWQ, vLLM before Marlin): a tile takes 16 rows, for
/// each of which its weights are unpacked anew while nothing is loaded for the next; eight parts of
/// each sum are written and added up behind it.
constexpr double awq_rows = 16;
constexpr double awq_parts = 8;
/// Weights that a multiprocessor unpacks in a cycle, before its matrix units multiply them with the
/// tile (with the multiplication ten on A100: fitted_on in tests/evidence/inference.json).
constexpr double awq_weights = 12;

/// Products of fp8 weights with a scale for each tile take the kernel that a table names for their
/// shape, on CDNA; what no table has runs the one that is compiled in, and tables hold the shapes
/// of few models, of those not all. Of the rate of tuned kernels that reaches: 15 of 57 tokens a
/// second of Qwen3-32B at batch 1 on MI308X (ROCm/aiter #3653), 418 of 870 to 1,040 TFLOP/s from
/// 512 rows on (vllm-project/vllm #56812, of CDNA 4, where few rows lose nothing); between them
/// even on a logarithmic scale of rows, assumed. Dense products alone: experts that are routed have
/// a kernel and tables of their own, which neither source measures.
constexpr double untuned_row_share = 15.0 / 57;
constexpr double untuned_prompt_share = 418.0 / 955;
constexpr double untuned_prompt_rows = 512;

OperatorTime awq_time(const DeviceModel& device, ComputeType type, const GemmShape& shape,
                      double weight_bytes) {
    const RooflineTerms& terms = device.terms_of(type, OperatorClass::gemv);
    const auto peak = device.accelerator->peak(type);
    const double multiply = peak ? 2 * awq_rows / peak->base() : 0;
    const double cycles = unit_cycles(*device.accelerator);
    const double each = (cycles > 0 ? 1 / (cycles * awq_weights) : 0) + multiply;
    const double unpacked = std::ceil(shape.m / awq_rows) * shape.n * shape.k * shape.count * each;
    const double parts =
        2 * awq_parts * 2 * shape.m * shape.n * shape.count;  // 16 bits, written and read
    const double memory = (weight_bytes + parts) * terms.seconds_per_byte;
    return {Seconds::of_base(terms.overhead + std::hypot(unpacked, memory)),
            unpacked > memory ? Bound::compute : Bound::memory, terms.tier};
}

}  // namespace

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
    // A library of ggml sums in fp16 unless it is told not to, and but for weights of bf16.
    const bool takes = type == ComputeType::fp16 || input.software.engine.half_accumulate;
    const bool wide =
        stored.format() != nullptr && stored.format()->name == "bf16" && stored.quantized(op);
    return half && takes && !wide && !few_rows() && input.workload.fp16_accumulate
               ? ComputeType::fp16_fp16_accumulate
               : type;
}

double PassFold::memory_share() const {
    const bool stacked = input.device.accelerator->stacked_memory;
    return few_rows() && stacked ? input.software.engine.stacked_memory_share : 1;
}

/// Servers' own kernels, where they were measured on the part: not with weights narrower than the
/// type that multiplies them.
OperatorClass PassFold::kernels_of_experts(ComputeType type) const {
    const auto bytes = [](ComputeType of) { return bytes_per_element(storage_of(of)); };
    const bool packed = stored.format() != nullptr && stored.format()->bits < 8 * bytes(type);
    const auto t = static_cast<std::size_t>(type);
    const auto* row = input.device.rows[t][static_cast<std::size_t>(OperatorClass::fused_experts)];
    const bool engine = input.software.runtime.kind == RuntimeKind::engine && fused;
    const bool measured =
        row != nullptr && row->compute && bytes(*row->compute) == bytes(input.device.runs_as[t]);
    return engine && measured && !packed ? OperatorClass::fused_experts
                                         : OperatorClass::grouped_gemm;
}

double PassFold::prompt_share(Role role) const {
    // A prompt keeps the matrix units busy long enough for the power limit to set their clock.
    const double rate = input.device.sustained_rate;
    if (role == Role::expert_linear && !input.software.engine.sorts_experts) {
        const ComputeType type = input.workload.compute;
        const bool measured =
            stored.format() == nullptr &&
            input.device.terms_of(type, kernels_of_experts(type)).tier < Tier::assumed;
        return native_format() || measured ? rate : rate * expert_prompt_share;
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

double PassFold::tile_scaled_share(const Operator& op) const {
    const std::string& architecture = input.device.accelerator->architecture;
    const bool third = architecture == "CDNA 3";
    const bool tiles = input.software.runtime.kind == RuntimeKind::engine && stored.quantized(op) &&
                       stored.format()->block_rows > 1 && native_format();
    if (!tiles || !(third || architecture == "CDNA 4")) {
        return 1;
    }
    const double place =
        std::clamp(std::log(tokens_on_rank()) / std::log(untuned_prompt_rows), 0.0, 1.0);
    return std::lerp(third ? untuned_row_share : 1.0, untuned_prompt_share, place);
}

/// What a prompt runs around a product of a library in 16 bits.
double PassFold::around_product(const Operator& op, const GemmShape& shape,
                                double weight_bytes) const {
    if (few_rows() || !input.software.engine.half_accumulate || shape.m <= most_vector_rows) {
        return 0;
    }
    const bool packed = stored.quantized(op) && stored.format()->dequantizes;
    return cast_time(input.device, shape) +
           (packed ? expansion_time(input.device, shape, weight_bytes) : 0);
}

bool PassFold::casts_weight(const Operator& op) const {
    return is_product(op.role) && !stored.quantized(op) &&
           input.software.runtime.casts_weights(input.workload);
}

/// A copy of a weight in half its bytes, made before the product that reads the copy.
double PassFold::cast_of_weight(const Operator& op, double weight_bytes) const {
    const double moved = 1.5 * weight_bytes;
    return casts_weight(op)
               ? moved * input.device.terms_of(input.workload.compute, OperatorClass::streaming)
                             .seconds_per_byte
               : 0;
}

double PassFold::product(const Operator& op, double n, double weight_bytes) {
    if (casts_weight(op)) {
        result.streaming += cast_of_weight(op, weight_bytes);
        result.bytes += 1.5 * weight_bytes;
        weight_bytes /= 2;
    }
    const ComputeType type = type_of(op);
    const bool few = few_rows();
    const OperatorClass operator_class = few ? OperatorClass::gemv : OperatorClass::gemm;
    GemmShape shape = op.gemm;
    shape.n = n;
    const double read = weight_bytes / memory_share();
    read_weights += weight_bytes;
    result.flops += shape.flops().base();
    result.bytes += op.forward_traffic.base() + weight_bytes;
    if (in_integers(op)) {
        return work(integer_time(op, shape, read), ComputeType::int8, OperatorClass::gemm);
    }
    const bool packed = stored.quantized(op) && stored.format()->dequantizes;
    const bool awq = packed && by_awq_kernels(*stored.format(), input.software, shape.m);
    const bool expands = packed && shape.m > most_packed_rows(*stored.format(), input.software);
    if (awq && !expands) {
        return work(awq_time(input.device, type, shape, read), type, OperatorClass::gemv);
    }
    if (expands && (awq || input.software.runtime.runs_transformers())) {
        const double expanded = 2 * shape.n * shape.k * shape.count;
        result.bytes += 2 * expanded;
        const OperatorTime time = gemm_time(input.device, type, shape, operator_class, expanded);
        return std::max(expansion_time(input.device, shape, weight_bytes),
                        decoding_time(input, *stored.format(), shape)) +
               work(time, type, operator_class) / (few ? 1 : prompt_share(op.role));
    }
    const bool marlin = packed && by_marlin(*stored.format(), input.software);
    const bool waits = least_rows(input.device, type) > synchronous_rows;
    const double least = !marlin ? 0 : synchronous_rows / (waits ? synchronous_share : 1);
    // Modules of torch multiply one row by a kernel of vectors, which fills no tiles (gemv of
    // cuBLAS: Qwen3-32B on H20 takes no longer a layer than 8B, which the host paces).
    const bool one_row = input.software.runtime.runs_transformers() && !packed && shape.m <= 1;
    const bool by_vector = few && (one_row || (packed && shape.m <= most_vector_rows));
    const OperatorTime time = by_vector
                                  ? rows_time(op, type, shape, read, least)
                                  : gemm_time(input.device, type, shape, operator_class, read);
    const double seconds = work(time, type, operator_class) / tile_scaled_share(op) /
                           (few ? 1 : prompt_share(op.role));
    const double unpacking =
        stored.quantized(op) ? unpacking_time(input, *stored.format(), shape) : 0;
    return around_product(op, shape, weight_bytes) + seconds + unpacking;
}

double PassFold::host_rate() const {
    const Accelerator& part = *input.device.accelerator;
    const double link =
        part.pcie_rate.value_or(32 * gigabyte_per_second).base() * pageable_share;  // a mapped file
    const double stated = input.workload.serving ? input.workload.serving->host_memory_rate : 0;
    const BytesPerSecond memory =
        host_reached * (stated > 0 ? stated : usual_host_rate) * gigabyte_per_second;
    return host_computes() ? memory.base()
                           : part.host_rate.value_or(BytesPerSecond::of_base(link)).base();
}

/// Only the experts that the batch touches are read: of E experts, a batch of n tokens that choose
/// k each leaves (1 - k / E)^n untouched when the choice is even.
double PassFold::experts(const Operator& op, double n, double weight_bytes) {
    const MixtureOfExperts& moe = *tower().moe;
    const double all = moe.experts;
    const double chosen = moe.experts_per_token;
    // Ranks of tensor parallelism have the same tokens.
    const Plan& plan = input.workload.plan;
    const double tokens = tokens_on_rank() * std::max(1.0, 1.0 * plan.expert / plan.tensor);
    const bool every = runs_every_expert(input) && !stored.quantized(op);
    const double touched = every ? 1 : 1 - std::pow(1 - chosen / all, tokens);
    GemmShape shape = op.gemm;
    shape.n = n;
    read_weights += touched * weight_bytes;
    shape.m = every ? tokens : op.gemm.m / touched;  // tokens of one touched expert
    shape.count = op.gemm.count * touched;
    const double read = weight_bytes * touched;
    result.flops += shape.flops().base();
    result.bytes += op.forward_traffic.base() + read;
    if (in_integers(op)) {
        return work(integer_time(op, shape, read), ComputeType::int8, OperatorClass::gemm);
    }
    const ComputeType type = type_of(op);
    if (few_rows() && input.software.engine.fuses_neighbours && stored.quantized(op)) {
        // One kernel of products of a row and a matrix, as for other weights.
        return work(rows_time(op, type, shape, read / memory_share()), type, OperatorClass::gemv);
    }
    const bool sorted = input.software.engine.sorts_experts && !few_rows();
    const OperatorClass kernels = sorted ? OperatorClass::gemm : kernels_of_experts(type);
    shape.m += sorted ? sorted_tile_rows : 0;
    const OperatorTime time = gemm_time(input.device, type, shape, kernels, read);
    return around_product(op, shape, read) +
           work(time, type, kernels) / (few_rows() ? 1 : prompt_share(op.role));
}

/// Times that a decode kernel reads each key and value.
double PassFold::reads_of_cache() const {
    const std::vector<int>& shared = input.software.engine.shared_query_groups;
    const TransformerStack& s = tower();
    const int group = s.kv_heads > 0 && !s.mla ? s.heads / s.kv_heads : 1;
    const bool once = shared.empty() || is_among(group, shared);
    return once ? 1 : group;
}

/// Of the rate of a 16-bit cache that decode reaches on a narrower one.
double PassFold::cache_share() const {
    if (bytes_per_element(input.workload.kv_cache) >= 2 || tower().mla) {
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

/// Keys and values that the stack copies before an attention over its own tokens.
CacheCopies PassFold::copies_of(const Operator& op) const {
    const TransformerStack& s = tower();
    const double heads = 1.0 * s.heads / input.workload.plan.tensor;
    const double keys = decode ? op.gemm.m / heads / pass.samples : pass.context;
    // What an encoder made of its input stays as it is.
    const bool own = !s.cross_attention || std::abs(keys - pass.context) < 0.5;
    if (!own || s.mla || !s.causal) {
        return {};
    }
    const double width =
        2.0 * s.head_dim * std::max(1.0, 1.0 * s.kv_heads / input.workload.plan.tensor);
    return cache_copies(input, pass.samples * keys * width, decode);
}

double PassFold::attention(const Operator& op) {
    // Parts without units for bf16 multiply queries and keys in fp16, those without either in fp32.
    const auto has = [this](ComputeType type) {
        return input.device.supported[static_cast<std::size_t>(type)];
    };
    const ComputeType type = has(ComputeType::bf16)   ? ComputeType::bf16
                             : has(ComputeType::fp16) ? ComputeType::fp16
                                                      : ComputeType::fp32;
    double traffic = op.forward_traffic.base();
    const double share = input.software.engine.attention_share;
    const double element = bytes_per_element(input.workload.kv_cache);
    const CacheCopies copies = copies_of(op);
    if (decode) {
        traffic *= element / 2;
        traffic *= reads_of_cache() / cache_share() * copies.reads;
    }
    result.flops += op.forward.base();
    result.bytes += traffic + 2 * copies.copied * element;
    const double copying =
        copies.copied > 0 ? strided_copy_time(input.device, copies.copied, element) : 0;
    if (!decode && input.software.engine.half_accumulate &&
        input.workload.attention == AttentionKernel::eager) {
        return stored_scores(op, type_of(op));
    }
    return copying + 1 / share *
                         work(roofline_time(input.device, type, op.operator_class, op.forward,
                                            Bytes::of_base(traffic)),
                              type, op.operator_class);
}

/// Of the streaming rate, for the passes that a dispatch and a sum without fused kernels make: 4 k
/// + 1 over the rows of tokens that go to k experts, of which fused ones leave k + 1.
double PassFold::dispatch_share() const {
    const RuntimeProfile& runtime = input.software.runtime;
    if (runtime.kind != RuntimeKind::engine) {
        return runtime.expert_dispatch_share();
    }
    if (input.software.engine.sorts_experts) {
        return 1;  // gathered, put back and summed by kernels that only stream
    }
    const ComputeType type = input.workload.compute;
    if (kernels_of_experts(type) != OperatorClass::fused_experts) {
        return unmeasured_dispatch_share;
    }
    const double chosen = tower().moe->experts_per_token;
    return fused_sum_share * (4 * chosen + 1) / (chosen + 1);
}

double PassFold::streaming(const Operator& op) {
    if ((fused && op.role == Role::residual) || in_epilogue(op)) {
        return 0;  // a residual is added by the norm that follows
    }
    const ComputeType type = ComputeType::bf16;
    const bool wide = integers();
    const bool dispatch = op.role == Role::dispatch && !decode && !wide;
    // Activations are fp32 there. Products find the tokens of each expert by a list of their
    // places; what they make is weighed and then added: three passes where four are listed.
    const Bytes traffic = op.forward_traffic * (!wide                       ? 1
                                                : op.role == Role::dispatch ? 2 * 3.0 / 4
                                                                            : 2);
    result.bytes += traffic.base();
    const Flops flops = op.role == Role::scan ? op.forward : Flops{};
    return work(roofline_time(input.device, type, op.operator_class, flops, traffic), type,
                op.operator_class) /
           (dispatch ? dispatch_share() : 1);
}

}  // namespace ridgeline
