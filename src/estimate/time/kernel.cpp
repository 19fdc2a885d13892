#include "estimate/time/kernel.h"

#include "base/lists.h"
#include "base/text.h"
#include "estimate/time/collective.h"
#include "estimate/time/host_time.h"
#include "estimate/time/kernel_device.h"
#include "estimate/time/kernel_part.h"
#include "estimate/time/roofline.h"
#include "estimate/uncertainty.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

namespace ridgeline {
namespace {

/// Of the link to the host, for large pinned copies (assumed).
constexpr double host_link_share = 0.8;

struct NamedCollective {
    std::string_view name;
    Collective operation;
};

constexpr std::array<NamedCollective, 6> kernel_collectives = {{
    {"all_reduce", Collective::all_reduce},
    {"all_gather", Collective::all_gather},
    {"reduce_scatter", Collective::reduce_scatter},
    {"all_to_all", Collective::all_to_all},
    {"p2p", Collective::point_to_point},
    {"point_to_point", Collective::point_to_point},
}};

/// Memory that a block of threads shares: 48 KiB up to Pascal, 64 KiB and more since (CUDA C++
/// Programming Guide, table of compute capabilities; CDNA's and RDNA's LDS).
Bytes block_memory(std::string_view architecture) {
    return (architecture == "Pascal" ? 48 : 64) * kibibyte;
}

/// The spread of measured / predicted of such kernels, on this part where it was seen.
void apply_band(KernelEstimate& estimate, const Calibration& calibration,
                const PredictionKind& kind) {
    const Interval band = band_for(calibration, kind);
    estimate.low = band.low;
    estimate.high = band.high;
    estimate.evidence_rows = band.evidence_rows;
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

/// What a host that calls one product of a library and waits for it sees beside the kernel, where
/// the kernel is shorter than the call: 4 us of launch (profile `generic`) and 20 us until the host
/// has a result (time/host_time.cpp, assumed). LLMCompass times its batched products so
/// (software_model/matmul.py); its rows showed that this was missing and did not set it.
constexpr Seconds launch_and_wait = 24 * microsecond;

void add_host_call(KernelEstimate& estimate, const Kernel& kernel, const Accelerator& part,
                   const DeviceModel& device, ComputeType type) {
    const double fixed = device.terms_of(type, OperatorClass::gemm).overhead;
    const Seconds more = launch_and_wait + fixed * second - estimate.parts.front().time;
    if (part.kind != "gpu" || kernel.launches > 1 || kernel.graph || more <= Seconds{}) {
        return;
    }
    estimate.parts.push_back({.name = "host call",
                              .time = more,
                              .bound = Bound::overhead,
                              .tier = Tier::assumed,
                              .formula = "launch, fixed time and wait, less the kernel",
                              .source = "4 us a launch, 20 us for a result on the host"});
}

KernelEstimate collective_estimate(const Kernel& kernel, Collective operation,
                                   const Cluster& cluster, const Calibration& calibration,
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
    estimate.bound = Bound::communication;
    estimate.capacity = cluster.accelerator->capacity();
    estimate.rate = estimate.bandwidth / gigabyte_per_second;
    KernelWork& work = estimate.work;
    work.title = fmt::format("{} of {:.4g} bytes over {} devices", kernel_kind_named(name)->title,
                             kernel.bytes, kernel.ranks);
    work.unit = "GB/s";
    work.resident = kernel.bytes * byte;
    work.source = "bus bandwidth as nccl-tests counts it";
    estimate.parts.push_back({.name = kernel_collectives[static_cast<std::size_t>(operation)].name,
                              .time = time.time,
                              .bound = Bound::communication,
                              .tier = time.tier,
                              .formula = "alpha + f(ranks) S / bandwidth",
                              .source = std::string(time.source)});
    apply_band(estimate, calibration, kernel_kind("collective", name, *cluster.accelerator));
    if (time.most > 1) {  // measured links say nothing of one that nobody measured
        estimate.low = std::min(estimate.low, assumed_band.low) * time.least;
        estimate.high = std::max(estimate.high, assumed_band.high) * time.most;
        estimate.evidence_rows = 0;
    }
    return estimate;
}

/// What exchanges add to the arithmetic of `inside`.
std::vector<KernelPartTime> exchange_times(const KernelWork& work, Seconds inside,
                                           const Cluster& cluster, const Calibration& calibration) {
    std::vector<KernelPartTime> times;
    const LinkModel links = link_model(cluster, calibration);
    const BytesPerSecond host = cluster.accelerator->host_rate.value_or(
        cluster.accelerator->pcie_rate.value_or(BytesPerSecond{}));
    for (const KernelExchange& exchange : work.exchanges) {
        KernelPartTime timed{
            .name = exchange.name, .bound = Bound::communication, .formula = exchange.formula};
        if (exchange.through_host && host.base() > 0) {
            // A face waits for the host twice in each direction.
            timed.time = (2 * exchange.size / (host * host_link_share) + 2 * host_wait * second) *
                         exchange.count;
            timed.source = "two copies over the host link at 80 % and two waits of 50 us [assumed]";
        } else {
            const bool pair = exchange.operation == Collective::point_to_point;
            const CollectiveTime one =
                collective_time(links, exchange.operation, exchange.size, pair ? 2 : cluster.count,
                                pair ? 1 + (cluster.nodes() == 1) : cluster.per_node);
            timed.time = one.time * exchange.count;
            timed.tier = one.tier;
            timed.source = std::string(one.source);
        }
        if (exchange.hidden) {
            timed.time = std::max(Seconds{}, timed.time - inside);
        }
        times.push_back(timed);
    }
    return times;
}

/// Input to the device and results back, shared by the devices of a node.
KernelPartTime copy_time(const KernelWork& work, const Cluster& cluster) {
    const Accelerator& part = *cluster.accelerator;
    KernelPartTime timed{.name = "copies", .bound = Bound::input};
    const BytesPerSecond host = part.host_rate.value_or(part.pcie_rate.value_or(BytesPerSecond{}));
    if (part.kind != "cpu" && host.base() > 0) {
        timed.traffic = (work.copied_in + work.copied_out) / double(cluster.count);
        timed.time = timed.traffic / (host * host_link_share);
        timed.formula = fmt::format("{:.4g} GB in, {:.4g} GB out", work.copied_in / gigabyte,
                                    work.copied_out / gigabyte);
        timed.source = "80 % of the host link [assumed]";
    }
    return timed;
}

PredictionKind kind_of(const Kernel& kernel, ComputeType type, const Accelerator& part) {
    const std::string_view name = kernel.operation;
    const bool calibrated =
        type != ComputeType::fp64 && type != ComputeType::fp32 && type != ComputeType::tf32;
    if (name == "gemm" && calibrated) {
        return kernel_kind("gemm", name_of(type), part);
    }
    constexpr std::array<std::string_view, 6> streams = {"copy",  "read", "fill",
                                                         "scale", "add",  "triad"};
    if (kernel.launches <= 1 && is_among(name, streams)) {
        return kernel_kind("bandwidth", name, part);
    }
    // Sizes tell transforms apart, not their number of sides.
    const std::string_view what = kernel.launches > 1       ? "repeated"
                                  : name.starts_with("fft") ? "fft"
                                                            : name;
    return kernel_kind("hpc", what, part);
}

void add_totals(KernelEstimate& estimate) {
    const KernelPartTime* longest = nullptr;
    for (const KernelPartTime& part : estimate.parts) {
        estimate.time += part.time;
        if (longest == nullptr || part.time > longest->time) {
            longest = &part;
        }
    }
    if (longest != nullptr) {
        estimate.bound = longest->bound;
        estimate.tier = longest->tier;
    }
    if (estimate.time.base() > 0) {
        estimate.rate = estimate.work.amount / estimate.time.base();
        estimate.bandwidth = estimate.work.traffic / estimate.time;
    }
    estimate.fits = estimate.capacity.base() <= 0 || estimate.work.resident <= estimate.capacity;
}

/// A loop as written, without vector instructions or blocking: each step waits for the sum of the
/// one before, four clocks for a multiply and an add.
///
/// source  latency of fused multiply-add on Intel and AMD server cores: 4 clocks (uops.info)
Result<KernelEstimate> plain_loop(KernelEstimate estimate, const Kernel& kernel,
                                  const Accelerator& part) {
    if (part.kind != "cpu" || !part.boost_clock_mhz || !part.units) {
        return input_error("kernel/library",
                           "found \"plain\" for " + part.name + ", expected a CPU of known clock");
    }
    constexpr double flops_a_clock = 2.0 / 4;  // a multiply-add of four clocks
    const double cores =
        kernel.cores > 0 ? std::min(kernel.cores, double(*part.units)) : *part.units;
    const double rate = cores * *part.boost_clock_mhz * 1e6 * flops_a_clock;
    estimate.parts = {{.name = "plain loop",
                       .time = Seconds::of_base(estimate.work.flops.base() / rate),
                       .bound = Bound::compute,
                       .tier = Tier::assumed,
                       .flops = estimate.work.flops,
                       .peak = FlopsPerSecond::of_base(rate),
                       .compute_fraction = 1,
                       .formula = "2 FLOP in 4 clocks of a core",
                       .source = "latency of a multiply-add; caches that miss make it slower"}};
    estimate.time = {};
    add_totals(estimate);
    return estimate;
}

Result<KernelEstimate> work_estimate(const Kernel& kernel, ComputeType compute,
                                     const Cluster& cluster, const DeviceModel& device,
                                     const Calibration& calibration, bool bare) {
    const Accelerator& whole = *cluster.accelerator;
    Accelerator changed;
    const Accelerator* part = device.accelerator;
    if (kernel.cores > 0) {
        changed = some_cores(whole, kernel.cores);
        part = &changed;
    }
    auto work = kernel_work(kernel, compute,
                            {.devices = cluster.count,
                             .memory = part->capacity(),
                             .block_memory = block_memory(part->architecture)});
    if (!work) {
        return tl::unexpected(work.error());
    }
    KernelEstimate estimate;
    estimate.type = compute;
    estimate.capacity = part->capacity();
    PartTimer timer(kernel, compute, *part, device, calibration);
    Seconds inside;
    for (const KernelPart& each : work->parts) {
        const auto timed = timer.time(each, work->resident);
        if (!timed) {
            return tl::unexpected(timed.error());
        }
        inside += timed->time;
        estimate.parts.push_back(*timed);
    }
    if (bare && kernel.operation == "gemm") {
        estimate.parts.front().time -=
            quantising_time(device, compute, work->parts.front().product);
        add_host_call(estimate, kernel, whole, device, compute);
    }
    if (cluster.count > 1) {
        for (KernelPartTime& each : exchange_times(*work, inside, cluster, calibration)) {
            estimate.parts.push_back(std::move(each));
        }
    }
    if (kernel.copies) {
        estimate.parts.push_back(copy_time(*work, cluster));
        estimate.copies = estimate.parts.back().time;
    }
    if (whole.devices_seen > 1) {
        work->notes.push_back(
            fmt::format("one of the {} devices of a package", whole.devices_seen));
    }
    estimate.work = std::move(*work);
    estimate.peak_assumed = timer.peak_assumed();
    add_totals(estimate);
    apply_band(estimate, calibration, kind_of(kernel, compute, whole));
    estimate.low *= std::min(1.0, estimate.work.least);
    return kernel.library == "plain" ? plain_loop(std::move(estimate), kernel, whole)
                                     : Result<KernelEstimate>(std::move(estimate));
}

}  // namespace

Result<KernelEstimate> estimate_kernel(const Kernel& kernel, ComputeType compute,
                                       const Cluster& cluster, const DeviceModel& device,
                                       const Calibration& calibration, bool bare) {
    for (const NamedCollective& collective : kernel_collectives) {
        if (collective.name == kernel.operation) {
            Kernel sized = kernel;
            sized.bytes = kernel.bytes > 0 ? kernel.bytes : kernel.elements * number_bytes(compute);
            if (sized.bytes <= 0) {
                return input_error("kernel/elements", "missing, expected a size above zero");
            }
            return collective_estimate(sized, collective.operation, cluster, calibration,
                                       collective.name);
        }
    }
    if (kernel_kind_named(kernel.operation) == nullptr) {
        std::vector<std::string> names;
        for (const KernelKind& kind : kernel_kinds()) {
            names.emplace_back(kind.name);
        }
        return input_error("kernel/operation",
                           "found \"" + kernel.operation +
                               "\", expected a matrix product, a memory stream, a collective or "
                               "another kernel",
                           did_you_mean(kernel.operation, names));
    }
    return work_estimate(kernel, compute, cluster, device, calibration, bare);
}

}  // namespace ridgeline
