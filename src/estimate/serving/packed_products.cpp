// Products of packed weights by kernels of ggml's own: a few rows and a matrix, and prompts in
// 8-bit integers.
#include "estimate/serving/module_work.h"
#include "estimate/serving/pass_fold.h"
#include "spec/matrix_types.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

/// Columns of a tile of the 8-bit products of ggml (mmq.cuh, mul_mat_q_case): the fewest, in steps
/// of eight, that hold all tokens of the pass, which might choose one expert.
constexpr double most_tile_tokens = 128;
constexpr double tile_step = 8;
/// Operations of the fp32 units for each of the 8-bit units: the sum over a block of 32 weights
/// becomes fp32 (half rate), is multiplied by both scales and added (mmq.cuh,
/// vec_dot_q8_0_q8_1_mma).
constexpr double scaling_share = 8.0 / 64;
/// Operations of an instruction that multiplies four 8-bit pairs, over those of an fp32 one, and
/// the part of its rate that products of ggml reach, whose operands come from shared memory (8B
/// q5_0 on a P40, ggml-org/llama.cpp #7716, and q4_0 on an MI50, #27841: 0.40 and 0.46).
constexpr double dot_operations = 4;
constexpr double dot_share = 0.43;

/// Instructions that the schedulers of a part issue in a second, in lanes; 0: not known.
double issued_lanes(const Accelerator& part) {
    constexpr double of_amd = 64;      // of a compute unit: two units of 32, or four of 16
    constexpr double of_others = 128;  // four schedulers of 32 (NVIDIA), four units of 32 (Apple)
    if (part.architecture == "Apple GPU") {
        // States no clock; a lane adds and multiplies in a cycle.
        return part.peak_vector_fp32.value_or(FlopsPerSecond{}).base() / 2;
    }
    const bool known = part.boost_clock_mhz && (part.vendor == "NVIDIA" || part.vendor == "AMD");
    return known ? unit_cycles(part) * (part.vendor == "AMD" ? of_amd : of_others) : 0;
}

}  // namespace

/// A few rows and a matrix: its weights are read once, and its instructions hide the reads where
/// they take longer.
OperatorTime PassFold::rows_time(const Operator& op, ComputeType type, const GemmShape& shape,
                                 double weight_bytes, double least_rows) const {
    const DeviceModel& device = input.device;
    const double activations =
        gemm_traffic(type, shape).base() -
        bytes_per_element(storage_of(type)) * shape.n * shape.k * shape.count;
    OperatorTime time = roofline_time(device, type, OperatorClass::gemv,
                                      shape.flops() * std::max(1.0, least_rows / shape.m),
                                      Bytes::of_base(activations + weight_bytes));
    const double lanes = issued_lanes(*device.accelerator);
    const auto file = gguf_file(input.workload.quantization.name);
    if (!file || !input.software.engine.half_accumulate || lanes <= 0 || at == nullptr) {
        return time;
    }
    const RowWork work = gguf_row_work(*file, input.architecture, *at, op);
    const double each = work.unpack + std::max(1.0, shape.m) * work.row;
    const Seconds issued = Seconds::of_base(device.terms_of(type, OperatorClass::gemv).overhead +
                                            shape.n * shape.k * shape.count * each / lanes);
    if (issued > time.time) {
        time = {issued, Bound::compute, time.tier};
    }
    return time;
}

/// Operations a second of the units that multiply 8-bit integers; 0: none. Those of RDNA 3 take as
/// many cycles for a tile of them as for one of fp16 (V_WMMA_I32_16X16X16_IU8 of its instruction
/// set); ggml uses them in the builds that fuse neighbours, a few weeks apart (#17576).
double PassFold::integer_peak() const {
    const Accelerator& part = *input.device.accelerator;
    const bool as_half = (part.architecture == "RDNA 3" || part.architecture == "RDNA 3.5") &&
                         input.software.engine.fuses_neighbours;
    const auto peak = part.peak(as_half ? ComputeType::fp16 : ComputeType::int8);
    return peak ? peak->base() : 0;
}

/// The vector units multiply four 8-bit pairs at once, and no matrix units are faster (dp4a,
/// v_dot4).
bool PassFold::by_dots() const {
    const Accelerator& part = *input.device.accelerator;
    constexpr double first_with_dots = 6.1;  // dp4a, which GP100 lacks
    const bool dots = capability_of(part) >= first_with_dots;
    return input.software.engine.half_accumulate && !fused &&
           ((part.architecture == "Pascal" && dots) || part.architecture == "GCN 5.1" ||
            part.architecture == "RDNA 2");
}

/// Quantised weights are multiplied as 8-bit integers with activations that are quantised for it
/// (ggml_cuda_should_use_mmq).
bool PassFold::in_integers(const Operator& op) const {
    return (integers() || by_dots()) && tokens_on_rank() > most_vector_rows &&
           stored.quantized(op) && stored.format()->dequantizes;
}

OperatorTime PassFold::integer_time(const Operator& op, GemmShape shape,
                                    double weight_bytes) const {
    const DeviceModel& device = input.device;
    const bool dots = by_dots();
    const RooflineTerms& terms = device.terms_of(ComputeType::int8, OperatorClass::gemm);
    double rows = shape.m;
    if (op.role == Role::expert_linear) {
        // One launch for all experts: a tile holds tokens of one alone, half of the last is empty.
        const double tile =
            std::min(most_tile_tokens, tile_step * std::ceil(tokens_on_rank() / tile_step));
        rows = std::max(tile, rows + tile / 2);
    }
    const double vectors = device.accelerator->peak_vector_fp32.value_or(FlopsPerSecond{}).base();
    const double units = dots ? dot_operations * vectors : integer_peak();
    const double share = dots ? dot_share : input.software.engine.integer_share;
    const double each = 1 / units + (vectors > 0 ? scaling_share / vectors : 0);
    const double compute =
        2 * rows * shape.n * shape.k * shape.count * each / (share * device.sustained_rate);
    // Activations of fp32 are quantised in a kernel before, a bias is added in one behind.
    const double results = has_bias(op) ? 12 : 4;
    const double bytes = weight_bytes + shape.m * shape.count * (6 * shape.k + results * shape.n);
    const double memory = bytes * terms.seconds_per_byte;
    // Where vector units multiply, a block of threads loads a tile, waits and multiplies it.
    const double both = dots ? compute + memory : std::hypot(compute, memory);
    return {Seconds::of_base(terms.overhead + both),
            compute > memory ? Bound::compute : Bound::memory, terms.tier};
}

}  // namespace ridgeline
