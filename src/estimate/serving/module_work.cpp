#include "estimate/serving/module_work.h"

#include "estimate/time/device.h"
#include "estimate/time/host_time.h"
#include "spec/software_profile.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

namespace ridgeline {
namespace {

/// Integer operations of the index arithmetic for one element of a strided copy or a join: torch's
/// kernels divide the element's number by each size, for both tensors (OffsetCalculator, Shape.cu).
/// Counted from the tokens of Qwen2.5-14B behind long prompts (fitted_on in
/// tests/evidence/transformers.json).
constexpr double index_operations = 40;
constexpr double integer_lanes = 64;  // of a multiprocessor or compute unit
constexpr double usual_clock_mhz = 1500;

/// Calls of a visit to an expert: its tokens and weights are picked, gate, up, activation, their
/// product, down, the weighing and the sum into the output (modeling_mixtral.py,
/// modeling_qwen3_moe.py).
constexpr double visit_calls = 9;

constexpr Version hit_experts_only{4, 53};  // huggingface/transformers #32429, #38133
constexpr Version lean_int8{0, 45};         // bitsandbytes: one kernel quantises rows
constexpr Version branchless{0, 48};        // bitsandbytes #1746: codes are looked up

bool four_bits_of_bitsandbytes(const QuantFormat& format) { return format.second_block > 0; }

/// Tokens of a sequence that the graphs of an engine hold which takes prompts whole and says what
/// its launches take (max_seq_len_to_capture of vLLM's first engine).
constexpr double longest_in_graph = 8192;

/// A graph holds the pass.
bool is_captured(const EstimateInput& input, const Pass& pass) {
    const SoftwareProfile& software = input.software;
    const bool limited = software.runtime.kind == RuntimeKind::engine &&
                         !software.engine.scheduler.chunks && serving_launch_time(input) > 0;
    const bool eager_prompt = pass.tokens > 1 && !software.engine.prompt_graphs;
    return input.workload.cuda_graphs && !eager_prompt &&
           (!limited || (pass.tokens <= 1 && pass.context <= longest_in_graph));
}

double touched_share(const MixtureOfExperts& moe, double tokens) {
    return 1 - std::pow(1 - 1.0 * moe.experts_per_token / moe.experts, tokens);
}

}  // namespace

CacheCopies cache_copies(const EstimateInput& input, double cached, bool grows) {
    const Workload& workload = input.workload;
    if (!input.software.runtime.runs_transformers() || workload.compiled) {
        return {};
    }
    const TransformerStack& tower = input.architecture.text();
    const double group = tower.kv_heads > 0 && !tower.mla ? 1.0 * tower.heads / tower.kv_heads : 1;
    const bool knows_groups = workload.attention == AttentionKernel::flash ||
                              (workload.attention == AttentionKernel::sdpa &&
                               !input.software.kernels.attention.repeats_kv);
    CacheCopies copies;
    copies.copied = grows ? cached : 0;
    copies.kernels = grows ? 2 : 0;
    if (group > 1 && !knows_groups) {
        copies.copied += group * cached;
        copies.reads = group;
        copies.kernels += 2;
    }
    return copies;
}

double unit_cycles(const Accelerator& part) {
    constexpr double vector_operations = 2 * 128;  // of a multiprocessor in a cycle, in fp32
    if (!part.units) {
        return part.peak_vector_fp32.value_or(FlopsPerSecond{}).base() / vector_operations;
    }
    return *part.units * part.boost_clock_mhz.value_or(usual_clock_mhz) * 1e6;
}

double strided_copy_time(const DeviceModel& device, double elements, double element_bytes) {
    const Accelerator& part = *device.accelerator;
    const double moved =
        2 * elements * element_bytes *
        device.terms_of(ComputeType::bf16, OperatorClass::streaming).seconds_per_byte;
    const double rate = unit_cycles(part) * integer_lanes;
    return std::max(moved, rate > 0 ? elements * index_operations / rate : 0);
}

double most_packed_rows(const QuantFormat& format, const SoftwareProfile& software) {
    constexpr double exllama_rows =
        50;  // AutoGPTQ, q4_matmul: beyond them weights are reconstructed
    constexpr double autoawq_rows = 1023;  // from 0.1.8 on, FP16_MATMUL_HEURISTIC_CONDITION
    constexpr double vllm_rows = 255;      // of the same name
    if (by_awq_kernels(format, software, autoawq_rows)) {
        constexpr double any = std::numeric_limits<double>::infinity();
        const bool engine = software.runtime.kind == RuntimeKind::engine;
        return engine ? vllm_rows : software.runtime.runs_transformers() ? autoawq_rows : any;
    }
    return four_bits_of_bitsandbytes(format) ? 1 : exllama_rows;
}

double decoding_time(const EstimateInput& input, const QuantFormat& format,
                     const GemmShape& shape) {
    constexpr double codes = 1.35;  // a multiprocessor finds in a cycle (fitted: the header)
    const double rate = unit_cycles(*input.device.accelerator) * codes;
    const bool branches = four_bits_of_bitsandbytes(format) &&
                          input.software.runtime.libraries.bitsandbytes < branchless;
    return branches && rate > 0 ? shape.n * shape.k * shape.count / rate : 0;
}

bool by_marlin(const QuantFormat& format, const SoftwareProfile& software) {
    return software.runtime.kind == RuntimeKind::engine && !software.engine.half_accumulate &&
           (format.name == "awq-int4" || format.name == "gptq-int4") &&
           !by_awq_kernels(format, software, 1);
}

bool by_awq_kernels(const QuantFormat& format, const SoftwareProfile& software, double rows) {
    // Of engines that launch modules of torch Marlin takes them since then (vLLM #6612).
    constexpr std::string_view marlin_day = "2024-07-23";
    constexpr double gemv_rows =
        8;  // loops of which nobody says whose they are: up to so many AWQ has another
    const RuntimeProfile& runtime = software.runtime;
    const bool tiles =
        runtime.kind == RuntimeKind::plain
            ? software.runtime.runs_transformers() || rows > gemv_rows
            : runtime.options.launch_per_kernel > Seconds{} && software.from < marlin_day;
    return tiles && format.name == "awq-int4";
}

double unpacking_time(const EstimateInput& input, const QuantFormat& format,
                      const GemmShape& shape) {
    constexpr double block = 64;
    constexpr double weights = 18;  // a multiprocessor unpacks in a cycle
    const SoftwareProfile& software = input.software;
    const bool widens = software.runtime.kind == RuntimeKind::engine &&
                        !software.engine.half_accumulate &&
                        !input.device.supported[static_cast<std::size_t>(format.compute)];
    const double cycles = unit_cycles(*input.device.accelerator);
    if (shape.m < block || cycles <= 0 || !(widens || by_marlin(format, software))) {
        return 0;
    }
    return std::ceil(shape.m / block) * shape.n * shape.k * shape.count / (cycles * weights);
}

double packed_launches(const QuantFormat& format, const Workload& workload,
                       const SoftwareProfile& software, double rows) {
    if (four_bits_of_bitsandbytes(format)) {
        // One row (gemv_4bit): the state of the weights is handed over by pointers, as long for the
        // host as two launches. More rows: an autograd function, in which the weights are expanded,
        // turned and cast before F.linear (autograd/_functions.py, MatMul4Bit; counted from NF4+DQ
        // with 8 and 32 rows on H100). Scales that are packed too take a kernel and a sum.
        constexpr double by_pointers = 2, by_function = 5;
        return (rows > 1 ? by_function : by_pointers) +
               (workload.quantization.double_quantization ? 2 : 0);
    }
    if (format.compute == ComputeType::int8) {
        // MatMul8bitLt: from 0.45 on magnitudes, their comparison, any of all and of each column,
        // places (2), quantised rows, product, scales; outlier columns, which decoders have in all
        // layers (threshold 6), are picked of both sides, scaled twice, cast and multiplied (6),
        // less the product itself. Before: maxima of rows and columns (5), quantised rows (3),
        // layouts (2), cleared sums (2), scales (1), copies of types (2), and of the outliers their
        // number, unique columns, layouts (3), scales (2) and product. Inputs and outputs of bf16
        // are cast.
        const double casts = workload.compute == ComputeType::bf16 ? 2 : 0;
        return (software.runtime.libraries.bitsandbytes < lean_int8 ? 22 : 14) + casts;
    }
    // The parts of a product are added up.
    return by_awq_kernels(format, software, rows) && rows <= most_packed_rows(format, software) ? 1
                                                                                                : 0;
}

double expert_loop_time(const EstimateInput& input, double tokens) {
    const SoftwareProfile& software = input.software;
    const Version& release = software.runtime.libraries.transformers;
    const auto& moe = input.architecture.text().moe;
    if (!moe || !software.runtime.walks_experts() || moe->expert_bias ||
        input.workload.cuda_graphs) {
        return 0;
    }
    const double launch = serving_launch_time(input);
    // A call on no elements costs its way through torch alone.
    const double call = std::min(launch, software.runtime.options.launch_per_kernel.base() *
                                             core_pace(*input.device.accelerator));
    const double look = call + launch + result_wait;  // a row of the mask, its places, their number
    const double hit = moe->experts * touched_share(*moe, tokens);
    const double empty = moe->experts - hit;
    if (moe->router_correction_bias) {
        // The code of DeepSeek-V3 looks at each expert and leaves those without tokens.
        return moe->experts * look + hit * visit_calls * launch;
    }
    if (release < hit_experts_only) {
        return moe->experts * look + visit_calls * (hit * launch + empty * call);
    }
    // The number of the expert is a tensor: it is waited for, and the mask picked by a kernel.
    return hit * (look + launch + result_wait + visit_calls * launch);
}

double host_time(const EstimateInput& input, const OperatorList& list, const Pass& pass,
                 const LaunchedPass& launched) {
    double loops = 0;
    for (const Block& block : list) {
        const bool moe = std::ranges::any_of(
            block.operators, [](const Operator& op) { return op.role == Role::expert_linear; });
        loops += moe ? block.repeat : 0;
    }
    const double looped =
        loops > 0 ? loops * expert_loop_time(input, pass.samples * pass.tokens) : 0;
    if (is_captured(input, pass)) {
        return looped;
    }
    const double calls = launched.launches * (input.workload.compiled ? 0.5 : 1);
    return looped + std::max(0.0, calls * serving_launch_time(input) - launched.device);
}

bool runs_every_expert(const EstimateInput& input) {
    const auto& moe = input.architecture.text().moe;
    return moe && moe->expert_bias && input.software.runtime.walks_experts();
}

}  // namespace ridgeline
