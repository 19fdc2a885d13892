#include "estimate/time/kernel.h"

#include "base/text.h"
#include "estimate/time/collective.h"
#include "estimate/time/roofline.h"
#include "estimate/uncertainty.h"

#include <algorithm>
#include <array>
#include <string>

namespace ridgeline {
namespace {

struct Stream {
    std::string_view name;
    double arrays;  ///< of `bytes` each that are read or written
    OperatorClass operator_class;
};

constexpr std::array<Stream, 5> streams = {{
    {"copy", 2, OperatorClass::streaming},
    {"read", 1, OperatorClass::one_way_stream},
    {"fill", 1, OperatorClass::one_way_stream},
    {"scale", 2, OperatorClass::streaming},
    {"triad", 3, OperatorClass::streaming},
}};

struct NamedCollective {
    std::string_view name;
    Collective operation;
};

constexpr std::array<NamedCollective, 6> collectives = {{
    {"all_reduce", Collective::all_reduce},
    {"all_gather", Collective::all_gather},
    {"reduce_scatter", Collective::reduce_scatter},
    {"all_to_all", Collective::all_to_all},
    {"p2p", Collective::point_to_point},
    {"point_to_point", Collective::point_to_point},
}};

/// The spread of measured / predicted of such kernels, on this part where it was seen.
void apply_band(KernelEstimate& estimate,
                const Calibration& calibration,
                const PredictionKind& kind) {
    const Interval band = band_for(calibration, kind);
    estimate.low = band.low;
    estimate.high = band.high;
    estimate.kind = kind.text();
}

/// The part of a calibrated product that quantises its activations: the pass over them, and the
/// fixed time beyond that of a 16-bit product, which is one kernel.
Seconds quantising_time(const DeviceModel& device, ComputeType type, const GemmShape& shape) {
    const RooflineTerms& terms = device.terms_of(type, OperatorClass::gemm);
    if (terms.quantize_seconds_per_byte <= 0) {
        return {};
    }
    const RooflineTerms& plain = device.terms_of(ComputeType::bf16, OperatorClass::gemm);
    return Seconds::of_base(quantise_pass(terms, type, shape) +
                            std::max(0.0, terms.overhead - plain.overhead));
}

Result<KernelEstimate> gemm_estimate(const Kernel& kernel,
                                     ComputeType compute,
                                     const DeviceModel& device,
                                     const Calibration& calibration,
                                     bool bare) {
    if (kernel.m <= 0 || kernel.n <= 0 || kernel.k <= 0) {
        return input_error("kernel", "gemm needs m, n and k above zero");
    }
    const GemmShape shape{.m = kernel.m, .n = kernel.n, .k = kernel.k};
    const OperatorTime time = gemm_time(device, compute, shape);
    KernelEstimate estimate;
    estimate.time = time.time;
    if (bare) {
        estimate.time = estimate.time - quantising_time(device, compute, shape);
    }
    estimate.bandwidth = gemm_traffic(compute, shape) / estimate.time;
    estimate.tier = time.tier;
    apply_band(estimate, calibration, kernel_kind("gemm", name_of(compute), *device.accelerator));
    return estimate;
}

KernelEstimate stream_estimate(const Kernel& kernel,
                               const Stream& stream,
                               const DeviceModel& device,
                               const Calibration& calibration) {
    const Bytes traffic = kernel.bytes * stream.arrays * byte;
    const OperatorTime time =
        roofline_time(device, ComputeType::fp32, stream.operator_class, Flops{}, traffic);
    KernelEstimate estimate;
    estimate.time = time.time;
    estimate.bandwidth = traffic / time.time;
    estimate.tier = time.tier;
    apply_band(estimate, calibration, kernel_kind("bandwidth", stream.name, *device.accelerator));
    return estimate;
}

KernelEstimate collective_estimate(const Kernel& kernel,
                                   Collective operation,
                                   const Cluster& cluster,
                                   const Calibration& calibration,
                                   std::string_view name) {
    const LinkModel links = link_model(cluster, calibration);
    const int per_node = std::min(kernel.ranks, std::max(1, cluster.per_node));
    const CollectiveTime time =
        collective_time(links, operation, kernel.bytes * byte, kernel.ranks, per_node);
    KernelEstimate estimate;
    estimate.time = time.time;
    estimate.tier = time.tier;
    if (time.time.base() > 0) {
        estimate.bandwidth = kernel.bytes * bus_factor(operation, kernel.ranks) * byte / time.time;
    }
    apply_band(estimate, calibration, kernel_kind("collective", name, *cluster.accelerator));
    return estimate;
}

}  // namespace

Result<KernelEstimate> estimate_kernel(const Kernel& kernel,
                                       ComputeType compute,
                                       const Cluster& cluster,
                                       const DeviceModel& device,
                                       const Calibration& calibration,
                                       bool bare) {
    if (kernel.operation == "gemm") {
        return gemm_estimate(kernel, compute, device, calibration, bare);
    }
    if (kernel.bytes <= 0) {
        return input_error("kernel/bytes", "found no bytes, expected a number above zero");
    }
    for (const Stream& stream : streams) {
        if (stream.name == kernel.operation) {
            return stream_estimate(kernel, stream, device, calibration);
        }
    }
    for (const NamedCollective& collective : collectives) {
        if (collective.name == kernel.operation) {
            return collective_estimate(
                kernel, collective.operation, cluster, calibration, collective.name);
        }
    }
    std::vector<std::string> names = {"gemm"};
    for (const Stream& stream : streams) {
        names.emplace_back(stream.name);
    }
    for (const NamedCollective& collective : collectives) {
        names.emplace_back(collective.name);
    }
    return input_error("kernel/operation",
                       "found \"" + kernel.operation +
                           "\", expected a matrix product, a memory "
                           "stream or a collective",
                       did_you_mean(kernel.operation, names));
}

}  // namespace ridgeline
