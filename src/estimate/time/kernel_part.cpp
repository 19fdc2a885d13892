#include "estimate/time/kernel_part.h"

#include "estimate/time/kernel_device.h"
#include "estimate/time/roofline.h"

#include <algorithm>

namespace ridgeline {
namespace {

/// Arrays that a launch leaves in a cache of this share of their size are still there for the next.
constexpr double cache_filled = 0.75;
/// Gap between kernels of a recorded graph on NVIDIA parts; elsewhere a graph gains nothing.
/// source  te42kyfo/gpu-benches, gpu-small-kernels
constexpr double graph_gap = 1e-6;

}  // namespace

Result<KernelPartTime> PartTimer::time(const KernelPart& work, Bytes resident) {
    KernelPartTime timed{.name = work.name,
                         .flops = work.flops * work.count,
                         .traffic = work.traffic * work.count,
                         .formula = work.formula};
    if (work.fixed.base() > 0) {
        timed.time = work.fixed * work.count;
        timed.bound = Bound::overhead;
        return timed;
    }
    return work.product.m > 0 ? product(work, timed) : pass(work, resident, timed);
}

Result<KernelPartTime> PartTimer::product(const KernelPart& work, KernelPartTime timed) {
    const bool vector = kernel_.units == "vector";
    const auto rate = vector ? vector_rate(part_, type_) : product_rate(part_, type_);
    if (!rate) {
        return tl::unexpected(rate.error());
    }
    const auto at = static_cast<std::size_t>(type_);
    Efficiency efficiency = device_.of(type_, OperatorClass::gemm);
    const bool known =
        !vector && !rate->assumed && &part_ == device_.accelerator && device_.supported[at];
    OperatorTime time;
    if (known) {
        time = gemm_time(device_, type_, work.product);
    } else {
        DeviceModel own = device_;
        efficiency = kernel_efficiency(calibration_, part_, product_units(part_, type_),
                                       OperatorClass::gemm);
        own.terms[at][static_cast<std::size_t>(OperatorClass::gemm)] =
            roofline_terms(efficiency, part_, rate->rate);
        time = gemm_time(own, type_, work.product);
        peak_assumed_ = peak_assumed_ || rate->assumed;
    }
    timed.time = time.time * work.count;
    timed.bound = time.bound;
    timed.tier = time.tier;
    timed.peak = rate->rate;
    timed.compute_fraction = efficiency.compute_fraction;
    timed.bandwidth_fraction = efficiency.bandwidth_fraction;
    timed.overhead = efficiency.overhead * work.count;
    timed.source = efficiency.source;
    return timed;
}

/// Of arithmetic outside the matrix units; 0 where the part does none that matters. 8- and 16-bit
/// numbers are computed with in fp32 there.
Result<FlopsPerSecond> PartTimer::rate_of(const KernelPart& work) {
    if (work.flops.base() <= 0) {
        return FlopsPerSecond{};
    }
    if (work.issue_bound) {
        const double lanes = issue_rate(part_);
        if (!(lanes > 0)) {
            return input_error("kernel", "no units or clock are known for " + part_.name);
        }
        const auto slowed =
            type_ == ComputeType::fp64 ? instruction_time_in_fp64(part_) : Result<double>(1.0);
        if (!slowed) {
            return tl::unexpected(slowed.error());
        }
        return FlopsPerSecond::of_base(2 * lanes / *slowed);
    }
    const bool doubles = type_ == ComputeType::fp64;
    const auto vector = vector_rate(part_, doubles ? ComputeType::fp64 : ComputeType::fp32);
    if (vector) {
        peak_assumed_ = peak_assumed_ || (vector->assumed && doubles);
        return vector->rate;
    }
    // Vector units of every part that is known do 12 operations or more (A100) in the time of a
    // byte: what has fewer waits for memory alone.
    constexpr double hidden_by_memory = 10;
    if (work.flops.base() > hidden_by_memory * work.traffic.base() || doubles) {
        return tl::unexpected(vector.error());
    }
    return FlopsPerSecond{};
}

Result<KernelPartTime> PartTimer::pass(const KernelPart& work, Bytes resident,
                                       KernelPartTime timed) {
    const bool cached = kernel_.launches > 1 && resident <= cache() * cache_filled;
    Efficiency efficiency = kernel_efficiency(calibration_, part_, type_, work.operator_class);
    const Efficiency of_cache =
        kernel_efficiency(calibration_, part_, type_, OperatorClass::cached_stream);
    if (cached) {  // its arithmetic is no faster for it
        efficiency.bandwidth_fraction = of_cache.bandwidth_fraction;
    }
    const auto rate = rate_of(work);
    if (!rate) {
        return tl::unexpected(rate.error());
    }
    RooflineTerms terms = roofline_terms(efficiency, part_, *rate);
    const double floats = work.flops.base() * terms.seconds_per_flop;
    const IntegerRate integers = integer_rate(part_);
    const double whole = work.integer_lanes > 0 && integers.lanes_per_second > 0
                             ? work.integer_lanes / integers.lanes_per_second
                             : 0;
    const double busy = integers.beside_floats ? std::max(floats, whole) : floats + whole;
    terms.seconds_per_flop = 1;
    terms.overhead = gap(efficiency) * work.launches;
    const OperatorTime time = roofline_time(terms, Flops::of_base(busy), work.traffic);
    timed.time = time.time * work.count;
    timed.bound = time.bound;
    const Efficiency& bounding = cached && time.bound == Bound::memory ? of_cache : efficiency;
    timed.tier = bounding.tier;
    timed.peak = *rate;
    timed.compute_fraction = efficiency.compute_fraction;
    timed.bandwidth_fraction = efficiency.bandwidth_fraction;
    timed.overhead = terms.overhead * work.count * second;
    timed.source = bounding.source;
    return timed;
}

double PartTimer::gap(const Efficiency& efficiency) const {
    const double eager = efficiency.overhead.base();
    return kernel_.graph && part_.compute_capability ? std::min(graph_gap, eager) : eager;
}

Bytes PartTimer::cache() const {
    return std::max(part_.l2_cache.value_or(Bytes{}), part_.last_level_cache.value_or(Bytes{}));
}

}  // namespace ridgeline
