#include "estimate/time/kernel_device.h"

#include "estimate/time/device.h"
#include "spec/chip_support.h"
#include "spec/matrix_types.h"

#include <algorithm>
#include <array>

namespace ridgeline {
namespace {

/// source  CUDA C++ programming guide, arithmetic throughput by capability; AMD, instruction sets
struct DoubleRatio {
    std::string_view architecture;
    double of_fp32;
};
constexpr std::array double_ratios = {
    DoubleRatio{"Turing", 1.0 / 32},          DoubleRatio{"Ampere", 1.0 / 64},
    DoubleRatio{"Ada Lovelace", 1.0 / 64},    DoubleRatio{"Blackwell", 1.0 / 64},
    DoubleRatio{"Blackwell Ultra", 1.0 / 64}, DoubleRatio{"RDNA 2", 1.0 / 16},
    DoubleRatio{"RDNA 3", 1.0 / 32},          DoubleRatio{"RDNA 4", 1.0 / 32},
    DoubleRatio{"CDNA 4", 1.0 / 2},
};

tl::unexpected<Error> no_units(const Accelerator& part, ComputeType type) {
    return input_error("kernel",
                       "no rate of " + std::string(name_of(type)) + " is known for " + part.name);
}

}  // namespace

Result<ArithmeticRate> vector_rate(const Accelerator& part, ComputeType type) {
    if (type == ComputeType::fp64) {
        if (part.peak_vector_fp64) {
            return ArithmeticRate{*part.peak_vector_fp64};
        }
        const auto found =
            std::ranges::find(double_ratios, part.architecture, &DoubleRatio::architecture);
        if (found == double_ratios.end() || !part.peak_vector_fp32) {
            return no_units(part, type);
        }
        return ArithmeticRate{*part.peak_vector_fp32 * found->of_fp32, true};
    }
    if (part.peak_vector_fp32) {
        return ArithmeticRate{*part.peak_vector_fp32, type != ComputeType::fp32};
    }
    return no_units(part, type);
}

Result<ArithmeticRate> product_rate(const Accelerator& part, ComputeType type) {
    if (const auto peak = part.peak(type)) {
        return ArithmeticRate{*peak};
    }
    const auto bf16 = part.peak(ComputeType::bf16);
    if (type == ComputeType::tf32 && bf16 && capability_of(part) >= 8) {
        return ArithmeticRate{*bf16 * 0.5, true};  // as A100, H100 and Ada
    }
    if (std::string lacks = compute_conflict(part, type); !lacks.empty()) {
        return input_error("kernel", std::move(lacks));
    }
    const auto rate = vector_rate(part, type);
    return rate ? ArithmeticRate{rate->rate * widened_share(part, type), rate->assumed} : rate;
}

ComputeType product_units(const Accelerator& part, ComputeType type) {
    const bool half = type == ComputeType::bf16 || type == ComputeType::fp16;
    return half ? nearest_supported(part, type) : type;
}

IntegerRate integer_rate(const Accelerator& part) {
    constexpr double lanes = 64;  // of a multiprocessor (CUDA C++ programming guide)
    if (capability_of(part) >= 7 && part.units && part.boost_clock_mhz) {
        return {*part.units * lanes * *part.boost_clock_mhz * 1e6, true};
    }
    return {part.peak_vector_fp32 ? part.peak_vector_fp32->base() / 2 : 0, false};
}

double issue_rate(const Accelerator& part) {
    constexpr double lanes = 128;  // four schedulers of 32
    if (capability_of(part) > 0 && part.units && part.boost_clock_mhz) {
        return *part.units * lanes * *part.boost_clock_mhz * 1e6;
    }
    return part.peak_vector_fp32 ? part.peak_vector_fp32->base() / 2 : 0;
}

Result<double> instruction_time_in_fp64(const Accelerator& part) {
    constexpr double arithmetic = 0.6;  // of the instructions, assumed
    const auto doubles = vector_rate(part, ComputeType::fp64);
    const auto singles = vector_rate(part, ComputeType::fp32);
    if (!doubles || !singles) {
        return tl::unexpected((doubles ? singles : doubles).error());
    }
    return 1 - arithmetic + arithmetic * (singles->rate / doubles->rate);
}

namespace {

void scale(Accelerator& part, double share) {
    for (auto& peak : part.peak_dense) {
        if (peak) {
            peak = *peak * share;
        }
    }
    for (auto* rate : {&part.peak_vector_fp32, &part.peak_vector_fp64}) {
        if (*rate) {
            *rate = **rate * share;
        }
    }
    if (part.units) {
        part.units = std::max(1, static_cast<int>(*part.units * share));
    }
}

}  // namespace

Accelerator some_cores(const Accelerator& part, double cores) {
    constexpr double bytes_a_core = 12e9;  // a second, assumed
    const double all = part.units.value_or(0);
    if (!(cores > 0) || all <= 0 || cores >= all) {
        return part;
    }
    Accelerator some = part;
    scale(some, cores / all);
    some.memory_bandwidth =
        std::min(part.memory_bandwidth.base(), cores * bytes_a_core) / 1e9 * gigabyte_per_second;
    return some;
}

}  // namespace ridgeline
