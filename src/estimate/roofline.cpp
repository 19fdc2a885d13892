#include "estimate/roofline.h"

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

/// (x^p + y^p)^(1/p) for x, y >= 0, without overflow.
double power_norm(double x, double y, double exponent) {
    if (exponent == 2) {
        return std::sqrt(x * x + y * y);
    }
    const double longer = std::max(x, y);
    if (longer <= 0) {
        return 0;
    }
    const double ratio = std::min(x, y) / longer;
    return longer * std::pow(1 + std::pow(ratio, exponent), 1 / exponent);
}

}  // namespace

std::string_view name_of(Bound bound) {
    switch (bound) {
        case Bound::compute: return "compute";
        case Bound::memory: return "memory";
        case Bound::overhead: return "overhead";
        case Bound::communication: return "communication";
        case Bound::input: return "input";
    }
    return "";
}

OperatorTime roofline_time(const DeviceModel& device,
                           ComputeType type,
                           OperatorClass operator_class,
                           Flops flops,
                           Bytes traffic) {
    const RooflineTerms& terms = device.terms_of(type, operator_class);
    const double compute = flops.base() * terms.seconds_per_flop;
    const double memory = traffic.base() * terms.seconds_per_byte;
    const double work = power_norm(compute, memory, terms.exponent);
    if (work <= 0) {
        return {Seconds{}, Bound::memory, terms.tier};
    }
    Bound bound = compute > memory ? Bound::compute : Bound::memory;
    if (terms.overhead > work) {
        bound = Bound::overhead;
    }
    return {Seconds::of_base(terms.overhead + work), bound, terms.tier};
}

Bytes gemm_traffic(ComputeType type, const GemmShape& shape) {
    // fp4 operands carry one scale byte a block of 16.
    const double operand =
        bytes_per_element(storage_of(type)) + (type == ComputeType::fp4 ? 1.0 / 16 : 0);
    const double result = std::clamp(operand, 2.0, 8.0);
    return shape.count *
           (operand * (shape.m * shape.k + shape.k * shape.n) + result * shape.m * shape.n) * byte;
}

OperatorTime gemm_time(const DeviceModel& device, ComputeType type, const GemmShape& shape) {
    return roofline_time(
        device, type, OperatorClass::gemm, shape.flops(), gemm_traffic(type, shape));
}

}  // namespace ridgeline
