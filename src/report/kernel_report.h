#pragma once

#include "estimate/time/kernel.h"
#include "report/report.h"
#include "spec/kernel.h"

#include <optional>
#include <string>
#include <vector>

namespace ridgeline::report {

/// A kernel on one kind of hardware.
struct KernelOn {
    Cluster cluster{};
    KernelEstimate estimate{};
    const Offer* offer = nullptr;
    double usd_per_hour = 0;  ///< of all instances; 0: no price is known
    double usd_to_buy = 0;    ///< of all of them; 0: none is known to be sold today
    std::string bought{};     ///< "used, 2026-07"

    [[nodiscard]] double seconds() const { return estimate.time / second; }
    /// Of a million runs; 0: no price is known.
    [[nodiscard]] double usd_per_million() const { return usd_per_hour * seconds() / 3600 * 1e6; }
    /// What it costs for each run a second; 0: no price is known.
    [[nodiscard]] double usd_for_speed() const { return usd_to_buy * seconds(); }
};

/// What the same kernel takes on a CPU that is used worse or better.
struct CpuWay {
    std::string words;  ///< "one core, a plain loop"
    double seconds = 0;
    double against = 0;         ///< times the fastest accelerator
    double against_copied = 0;  ///< with its copies from and to host memory
};

struct KernelAnswer {
    Kernel kernel;
    ComputeType type = ComputeType::fp64;
    std::vector<KernelOn> places;  ///< as asked, or best first
    bool ranked = false;
    bool by_cost = false;              ///< the cheapest was asked for: `places` begin with it
    bool buys = false;                 ///< it is to be bought
    std::optional<KernelOn> to_buy{};  ///< of a ranking by rent what is sold and does most for it
    std::vector<CpuWay> cpu_ways;
    std::string cpu;                    ///< whose ways they are
    std::vector<std::string> left_out;  ///< why hardware is not in the list
};

/// "Yes: its arrays and work areas take 16.0 of 79.2 GiB on NVIDIA A100 PCIe 80GB." of the fastest.
std::string kernel_fit_sentence(const KernelAnswer& answer);
/// What does not fit is said first. "... takes 2.9 ms (2 to 4.1 ms) on AMD MI300X: 6,200 GFLOP/s,
/// bound by memory bandwidth."
std::string kernel_sentence(const KernelAnswer& answer);
/// `headed`  the sentence stands above already
std::string kernel_text(const KernelAnswer& answer, const Style& style, bool headed = false);
std::string kernel_json(const KernelAnswer& answer, const Stamp& stamp);

}  // namespace ridgeline::report
