#include "estimate/time/device.h"

#include "estimate/time/relatives.h"
#include "spec/matrix_types.h"
#include "spec/mig.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

namespace ridgeline {
namespace {

/// Types to try, nearest first, for a part that has no units for the first of them.
std::span<const ComputeType> wider_types(ComputeType type) {
    using enum ComputeType;
    static constexpr ComputeType from_fp4[] = {fp4, mxfp8, fp8, bf16, fp16, tf32, fp32};
    static constexpr ComputeType from_mxfp8[] = {mxfp8, fp8, bf16, fp16, tf32, fp32};
    static constexpr ComputeType from_fp8[] = {fp8, bf16, fp16, tf32, fp32};
    static constexpr ComputeType from_int8[] = {int8, fp16, bf16, tf32, fp32};
    static constexpr ComputeType from_accumulate[] = {fp16_fp16_accumulate, fp16, tf32, fp32};
    static constexpr ComputeType from_fp16[] = {fp16, bf16, tf32, fp32};
    static constexpr ComputeType from_bf16[] = {bf16, tf32, fp32};
    static constexpr ComputeType from_tf32[] = {tf32, fp32};
    static constexpr ComputeType from_fp32[] = {fp32};
    static constexpr ComputeType from_fp64[] = {fp64};
    switch (type) {
        case fp4:
            return from_fp4;
        case mxfp8:
            return from_mxfp8;
        case fp8:
            return from_fp8;
        case int8:
            return from_int8;
        case fp16_fp16_accumulate:
            return from_accumulate;
        case fp16:
            return from_fp16;
        case bf16:
            return from_bf16;
        case tf32:
            return from_tf32;
        case fp64:
            return from_fp64;
        default:
            return from_fp32;
    }
}

FlopsPerSecond peak_of(const Accelerator& accelerator, ComputeType runs_as) {
    if (const auto peak = accelerator.peak(runs_as)) {
        return *peak;
    }
    return accelerator.peak_vector_fp32.value_or(FlopsPerSecond{});
}

/// bf16 and fp16 share units and rates, and so do fp8 and mxfp8.
bool same_units(ComputeType a, ComputeType b) {
    using enum ComputeType;
    const auto family = [](ComputeType type) {
        if (type == fp16 || type == fp16_fp16_accumulate) {
            return bf16;
        }
        return type == mxfp8 ? fp8 : type;
    };
    return family(a) == family(b);
}

bool is_product(OperatorClass operator_class) {
    return operator_class == OperatorClass::gemm || operator_class == OperatorClass::gemv ||
           operator_class == OperatorClass::grouped_gemm ||
           operator_class == OperatorClass::fused_experts;
}

/// A row that applies to a part, and how near what it speaks of is: 4 the part itself, 3 its chip,
/// 2 its architecture or the relative that stands for it, 1 any part.
struct ScopedRow {
    const KernelCalibration* row = nullptr;
    int scope = 0;
};
using RowsOfClass = std::vector<ScopedRow>;

/// 0 when the row is of another part.
int scope_of(const KernelCalibration& row, const Accelerator& part, std::string_view card,
             std::string_view architecture) {
    if (!row.accelerator.empty()) {
        return row.accelerator == card ? 4 : 0;
    }
    if (!row.chip.empty()) {
        return row.chip == part.chip ? 3 : 0;
    }
    if (!row.architecture.empty()) {
        return row.architecture == architecture ? 2 : 0;
    }
    return 1;
}

/// How near a row is to the type that is asked; 0 when it does not apply.
int nearness(const ScopedRow& scoped, ComputeType type) {
    const auto& of = scoped.row->compute;
    const bool exact = of && *of == type;
    const bool near = of && same_units(*of, type);
    // Units of doubles say nothing about others.
    if (of == ComputeType::fp64 && !exact) {
        return 0;
    }
    const int type_rank = exact ? 3 : near ? 2 : of ? 0 : 1;
    if (scoped.scope == 1) {
        // A row for any part says nothing about another type.
        return of && !near ? 0 : 1 + type_rank;
    }
    return (near ? 200 : 100) + 10 * scoped.scope + type_rank;
}

/// The nearest of the rows of a class, of equal ones the last; nothing when none applies.
const KernelCalibration* nearest(const RowsOfClass& rows, ComputeType type, bool training) {
    int best = 0;
    const KernelCalibration* found = nullptr;
    for (const ScopedRow& scoped : rows) {
        const KernelCalibration& row = *scoped.row;
        if (row.training && !training) {
            continue;
        }
        int near = nearness(scoped, type);
        const bool same_type = !row.compute || same_units(*row.compute, type);
        near += near > 0 && row.training && same_type ? 1000 : 0;
        if (near > 0 && near >= best) {
            best = near;
            found = &row;
        }
    }
    return found;
}

/// Cards for games accumulate in fp32 at half the rate that their chip has elsewhere, while what
/// feeds the units stays: a share that was measured on another part of the chip doubles, up to what
/// such cards were measured to reach (RTX 3090 and RTX 4090, mag-/gpu_benchmark 2024-10).
constexpr double most_at_half_rate = 0.97;

/// The same of attention with a causal mask (FlashAttention-2 without one reaches the peak of RTX
/// 4090: SageAttention, arXiv 2410.02367, figures of speed, 165 TFLOP/s), and of convolutions.
constexpr double most_gathered_at_half_rate = 0.85;

bool accumulates_at_half_rate(const Accelerator& part, ComputeType type) {
    const auto narrow = part.peak(ComputeType::fp16_fp16_accumulate);
    const auto wide = part.peak(ComputeType::fp16);
    const bool halved_type =
        type == ComputeType::tf32 || same_units(type, ComputeType::fp8) ||
        (same_units(type, ComputeType::bf16) && type != ComputeType::fp16_fp16_accumulate);
    constexpr double nearly_twice = 1.9;  // rounded figures of data sheets
    return halved_type && narrow && wide && *narrow > nearly_twice * *wide;
}

bool is_attention(OperatorClass operator_class) {
    return operator_class == OperatorClass::attention_forward ||
           operator_class == OperatorClass::attention_backward;
}

/// What a row, or none, says of the part and the type.
Efficiency efficiency_by(const KernelCalibration* found, const Accelerator& accelerator,
                         ComputeType type, OperatorClass operator_class) {
    if (found == nullptr) {
        Efficiency at_peak;
        at_peak.compute_fraction = 1;
        at_peak.bandwidth_fraction = 1;
        at_peak.source = "no calibration: at peak";
        return at_peak;
    }
    Efficiency efficiency = found->efficiency;
    const bool borrowed_type = found->compute && !same_units(*found->compute, type);
    // Nobody published the kernels of a slice: they are taken to reach the shares that the card
    // reaches.
    if (found->accelerator.empty() || borrowed_type || is_slice(accelerator)) {
        efficiency.tier = std::max(efficiency.tier, Tier::transferred);
    }
    // A product of 16 bits and more has no operands to quantise, and not the tile of a narrow one.
    if (borrowed_type && bytes_per_element(storage_of(type)) >= 2) {
        efficiency.quantize_fraction = 0;
        efficiency.tile_m = 0;
        efficiency.tile_n = 0;
    }
    efficiency.compute_fraction = std::min(efficiency.compute_fraction, 1.0);
    if (found->half_rate) {
        const bool halved = accumulates_at_half_rate(accelerator, ComputeType::fp16);
        efficiency.compute_fraction *= halved ? 1 : 0.5;
    }
    const bool attention = is_attention(operator_class);
    // Steps of convolutions were measured on cards of both rates.
    const bool windows = operator_class == OperatorClass::convolution && !found->half_rate &&
                         !found->training && !found->architecture.empty();
    if (found->accelerator.empty() && (is_product(operator_class) || attention || windows) &&
        accumulates_at_half_rate(accelerator, type)) {
        const double most = attention ? most_gathered_at_half_rate : most_at_half_rate;
        efficiency.compute_fraction =
            std::max(efficiency.compute_fraction, std::min(2 * efficiency.compute_fraction, most));
    }
    // A cache may well be faster than the memory behind it.
    if (operator_class != OperatorClass::cached_stream) {
        efficiency.bandwidth_fraction = std::min(efficiency.bandwidth_fraction, 1.0);
    }
    return efficiency;
}

/// 3 the part itself, 2 its chip, 1 its architecture, 0 any part, -1 another part.
int scope_of(const std::string& accelerator, const std::string& chip,
             const std::string& architecture, const Accelerator& part) {
    if (!accelerator.empty()) {
        return accelerator == card_of(part.id) ? 3 : -1;
    }
    if (!chip.empty()) {
        return chip == part.chip ? 2 : -1;
    }
    if (!architecture.empty()) {
        // What is said of Blackwell was measured on modules.
        const bool card = architecture == "Blackwell" && !is_module_of_blackwell(part);
        return architecture == part.architecture && !card ? 1 : -1;
    }
    return 0;
}

void resolve_sustained(DeviceModel& device, const Calibration& calibration) {
    const Accelerator& part = *device.accelerator;
    int best = 0;
    for (const SustainedCalibration& row : calibration.sustained) {
        const int scope = scope_of(row.accelerator, row.chip, row.architecture, part);
        if (scope >= best) {
            best = scope;
            device.sustained_rate = row.matrix_rate;
            device.beside_collectives = row.beside_collectives;
        }
    }
    // Units that add up at half of their rate leave the power limit room, but on silicon of 8 nm
    // (Ampere): such cards hold their clock.
    if (best == 0 && part.architecture != "Ampere" &&
        accumulates_at_half_rate(part, ComputeType::bf16)) {
        device.sustained_rate = 1;
    }
    std::array<int, flash_generations> nearest{};
    for (const AttentionCalibration& row : calibration.attention) {
        const auto generation = static_cast<std::size_t>(row.generation);
        const int scope = scope_of("", row.chip, row.architecture, part);
        if (scope >= nearest[generation]) {
            nearest[generation] = scope;
            device.attention_rate[generation] = {row.forward_rate, row.backward_rate};
        }
    }
}

double inverse(double rate) { return rate > 0 ? 1 / rate : 0; }

RooflineTerms terms_from(const Efficiency& efficiency, const Accelerator& accelerator,
                         double peak) {
    const double bandwidth = accelerator.memory_bandwidth.base();
    return {.seconds_per_flop = inverse(efficiency.compute_fraction * peak),
            .seconds_per_byte = inverse(efficiency.bandwidth_fraction * bandwidth),
            .overhead = efficiency.overhead.base(),
            .exponent = efficiency.exponent,
            .wave_share = efficiency.wave_share,
            .quantize_seconds_per_byte = inverse(efficiency.quantize_fraction * bandwidth),
            .tile_m = efficiency.tile_m,
            .tile_n = efficiency.tile_n,
            .units = accelerator.units.value_or(0),
            .tier = efficiency.tier};
}

}  // namespace

ComputeType nearest_supported(const Accelerator& accelerator, ComputeType type) {
    const auto types = wider_types(type);
    const auto found = std::ranges::find_if(
        types, [&](ComputeType wider) { return accelerator.peak(wider).has_value(); });
    return found == types.end() ? types.back() : *found;
}

double widened_share(const Accelerator& accelerator, ComputeType type) {
    constexpr double widened_in_kernels = 0.6;
    constexpr double first_with_bf16 = 8;
    const double capability = capability_of(accelerator);
    const bool widens = type == ComputeType::bf16 && capability > 0 &&
                        capability < first_with_bf16 && !accelerator.peak(type);
    return widens ? widened_in_kernels : 1;
}

Efficiency kernel_efficiency(const Calibration& calibration, const Accelerator& accelerator,
                             ComputeType type, OperatorClass operator_class) {
    const std::string_view card = card_of(accelerator.id);
    const std::string_view architecture =
        measured_architecture(calibration, accelerator, operator_class);
    RowsOfClass rows;
    for (const KernelCalibration& row : calibration.kernels) {
        const int scope = row.operator_class == operator_class
                              ? scope_of(row, accelerator, card, architecture)
                              : 0;
        if (scope > 0) {
            rows.push_back({&row, scope});
        }
    }
    return efficiency_by(nearest(rows, type, false), accelerator, type, operator_class);
}

RooflineTerms roofline_terms(const Efficiency& efficiency, const Accelerator& accelerator,
                             FlopsPerSecond peak) {
    return terms_from(efficiency, accelerator, peak.base());
}

namespace {

/// Fills the efficiencies and terms of one operand type.
void resolve_type(DeviceModel& device, ComputeType type,
                  const std::array<RowsOfClass, operator_classes>& rows) {
    const Accelerator& part = *device.accelerator;
    const auto t = static_cast<std::size_t>(type);
    const ComputeType runs_as = device.runs_as[t];
    const double peak = device.peak[t].base();
    for (std::size_t c = 0; c < rows.size(); ++c) {
        const auto cls = static_cast<OperatorClass>(c);
        const KernelCalibration* usual = nearest(rows[c], runs_as, false);
        const KernelCalibration* trains = nearest(rows[c], runs_as, true);
        device.rows[t][c] = usual;
        device.terms[t][c] = terms_from(efficiency_by(usual, part, runs_as, cls), part, peak);
        device.training_terms[t][c] =
            trains == usual ? device.terms[t][c]
                            : terms_from(efficiency_by(trains, part, runs_as, cls), part, peak);
    }
}

}  // namespace

Efficiency DeviceModel::of(ComputeType type, OperatorClass operator_class) const {
    const auto t = static_cast<std::size_t>(type);
    return efficiency_by(rows[t][static_cast<std::size_t>(operator_class)], *accelerator,
                         runs_as[t], operator_class);
}

DeviceModel device_model(const Accelerator& accelerator, const Calibration& calibration) {
    DeviceModel device;
    device.accelerator = &accelerator;
    resolve_sustained(device, calibration);
    const std::string_view card = card_of(accelerator.id);
    std::array<RowsOfClass, operator_classes> rows;
    std::array<std::string_view, operator_classes> architectures;
    for (std::size_t c = 0; c < architectures.size(); ++c) {
        architectures[c] =
            measured_architecture(calibration, accelerator, static_cast<OperatorClass>(c));
    }
    for (const KernelCalibration& row : calibration.kernels) {
        const auto c = static_cast<std::size_t>(row.operator_class);
        const int scope = c < rows.size() ? scope_of(row, accelerator, card, architectures[c]) : 0;
        if (scope > 0) {
            rows[c].push_back({&row, scope});
        }
    }
    for (std::size_t t = 0; t < device.peak.size(); ++t) {
        const auto type = static_cast<ComputeType>(t);
        device.supported[t] = accelerator.peak(type).has_value();
        device.runs_as[t] = nearest_supported(accelerator, type);
        device.peak[t] = peak_of(accelerator, device.runs_as[t]) * widened_share(accelerator, type);
        const auto same = static_cast<std::size_t>(
            std::find(device.runs_as.begin(),
                      device.runs_as.begin() + static_cast<std::ptrdiff_t>(t), device.runs_as[t]) -
            device.runs_as.begin());
        if (same < t && device.peak[same].base() == device.peak[t].base()) {
            device.rows[t] = device.rows[same];
            device.terms[t] = device.terms[same];
            device.training_terms[t] = device.training_terms[same];
        } else {
            resolve_type(device, type, rows);
        }
    }
    return device;
}

}  // namespace ridgeline
