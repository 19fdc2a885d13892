#pragma once

#include "base/dtype.h"
#include "base/quantity.h"

#include <optional>
#include <string>
#include <vector>

namespace ridgeline {

/// How far an efficiency may be trusted (contract: time model, calibration tiers).
enum class Tier { measured = 1, published = 2, transferred = 3, assumed = 4 };

/// What kind of kernel an operator becomes: each has its own calibrated efficiency.
enum class OperatorClass {
    gemm,
    grouped_gemm,   ///< experts of an MoE layer
    fused_experts,  ///< the same in a server's kernels, which find the rows of an expert as they
                    ///< multiply
    gemv,           ///< decode: few rows, weights stream through
    attention_forward,
    attention_backward,
    attention_decode,
    convolution,
    depthwise_convolution,
    streaming,       ///< norms, activations, elementwise, softmax, loss: reads and writes mixed
    one_way_stream,  ///< a pure read or a pure fill: no turnaround of the memory bus
    embedding,
    optimizer,
    // Of single kernels of scientific computing; no model has them.
    cached_stream,     ///< arrays that stay in the last-level cache from one launch to the next
    stencil,           ///< neighbours on a grid
    lattice,           ///< nineteen shifted streams in and out (lattice Boltzmann)
    fft,               ///< one pass of a transform over its data
    fft_strided,       ///< a pass along a side that is not the contiguous one
    sparse,            ///< rows of like length
    irregular_sparse,  ///< rows of unlike length: scattered columns, idle lanes
    sort,
    particles,  ///< pairs within a cutoff
    pairs,      ///< all pairs, data on chip
    count_
};
/// Classes that models consist of: a DeviceModel resolves them all in advance.
inline constexpr int operator_classes = static_cast<int>(OperatorClass::optimizer) + 1;
inline constexpr int all_operator_classes = static_cast<int>(OperatorClass::count_);

std::string_view name_of(OperatorClass operator_class);
std::optional<OperatorClass> operator_class_named(std::string_view name);

/// The calibrated numbers of the operator formula
/// t = t0 + ((F / (a P))^p + (B / (b W))^p)^(1/p), with p = 2 unless a fit says otherwise. Matrix
/// products may add the padding of tiles and waves and a pass that quantises their activations.
struct Efficiency {
    double compute_fraction = 0;    ///< a, of the dense peak P of the operand type
    double bandwidth_fraction = 0;  ///< b, of the memory bandwidth W
    Seconds overhead;               ///< t0
    double exponent = 2;
    /// Share of the FLOPs lost to partly filled tiles and the last wave over the units that shows
    /// in the time (the rest is hidden by split or streamed reductions); 0: shape does not matter.
    double wave_share = 0;
    int tile_m = 0;  ///< of the only tile the kernel has; 0: the library picks one
    int tile_n = 0;
    /// Fraction of the memory bandwidth at which 16-bit activations are quantised before the
    /// product (read for the maximum, read again, written in the operand type); 0: no such pass.
    double quantize_fraction = 0;
    Tier tier = Tier::assumed;
    std::string source;
    std::string date;
    friend bool operator==(const Efficiency&, const Efficiency&) = default;
};

struct KernelCalibration {
    std::string accelerator;   ///< catalog id; empty: any part of `chip` or `architecture`
    std::string chip;          ///< for the same silicon on another board ("GA102"); empty: any
    std::string architecture;  ///< for transfers ("Hopper"); empty: any
    std::optional<ComputeType> compute;  ///< empty: any operand type
    OperatorClass operator_class = OperatorClass::gemm;
    bool training = false;   ///< of the products inside a training step alone
    bool half_rate = false;  ///< measured on cards that accumulate in fp32 at half their rate: of
                             ///< the peak of those that do not it is half
    Efficiency efficiency;
    friend bool operator==(const KernelCalibration&, const KernelCalibration&) = default;
};

enum class Collective {
    all_reduce,
    all_gather,
    reduce_scatter,
    all_to_all,
    point_to_point,
    count_
};

/// t = alpha + bus_factor(ranks) S / bandwidth + gamma sqrt(S); S as nccl-tests counts it.
struct CollectiveCalibration {
    std::string accelerator;  ///< catalog id; empty: by link alone
    std::string link;         ///< link id ("nvlink4", "pcie5-x16", "ib-ndr")
    Collective operation = Collective::all_reduce;
    int ranks = 8;
    int nodes = 1;
    Seconds alpha;
    BytesPerSecond bus_bandwidth;
    double gamma_us_per_sqrt_mib = 0;
    /// One-way rate of one accelerator's link (one node: scale-up; several: its NIC) that the
    /// figures were measured on, so that they scale to another rate of the same kind; 0: not
    /// stated.
    BytesPerSecond link_rate;
    bool in_switch = false;  ///< reduced inside the switch (NVLink SHARP)
    Tier tier = Tier::assumed;
    std::string source;
    std::string date;
    friend bool operator==(const CollectiveCalibration&, const CollectiveCalibration&) = default;
};

/// Memory that lives outside the tensors of one process, measured or published.
struct ContextCalibration {
    std::string accelerator;  ///< empty: any of the vendor
    std::string vendor;
    double context_mib = 0;     ///< CUDA or HIP context
    double library_mib = 0;     ///< cuBLAS and similar workspaces
    double collective_mib = 0;  ///< NCCL buffers of each communicator of several ranks
    double peer_mib = 0;        ///< and of each rank that is sent to and received from over NVLink
    Tier tier = Tier::assumed;
    std::string source;
    friend bool operator==(const ContextCalibration&, const ContextCalibration&) = default;
};

/// What the long dense work of a training step keeps of the rates that its kernels reach alone: the
/// power limit lowers the clock, and collectives that run beside the kernels take units and memory.
/// The row that wins is the part's own, else its chip's, its architecture's, the one of any part.
struct SustainedCalibration {
    std::string accelerator{};
    std::string chip{};
    std::string architecture{};
    double matrix_rate = 1;         ///< of the matrix units' rate in short runs
    double beside_collectives = 1;  ///< of all rates while a collective runs at the same time
    Tier tier = Tier::assumed;
    std::string source{};
    std::string date{};
    friend bool operator==(const SustainedCalibration&, const SustainedCalibration&) = default;
};

/// Generations of fused attention kernels; a software stack brings one.
enum class FlashGeneration { flash1, flash2, flash3, count_ };
inline constexpr int flash_generations = static_cast<int>(FlashGeneration::count_);

/// Rate of a generation of attention kernels as a fraction of the calibrated ones, which are the
/// best that were published for the part.
struct AttentionCalibration {
    FlashGeneration generation = FlashGeneration::flash3;
    std::string chip;          ///< empty: any of `architecture`
    std::string architecture;  ///< empty: any part
    double forward_rate = 1;
    double backward_rate = 1;
    Tier tier = Tier::assumed;
    std::string source;
    std::string date;
    friend bool operator==(const AttentionCalibration&, const AttentionCalibration&) = default;
};

/// What interrupts and slows a long run, from published records of such runs. The row that wins is
/// the part's own, else its architecture's, the one of any part.
struct RunCalibration {
    std::string accelerator;
    std::string architecture;
    Seconds between_failures;      ///< of one accelerator with its share of node and network
    Seconds between_failures_low;  ///< shortest and longest of the records
    Seconds between_failures_high;
    Seconds between_spot_interruptions;  ///< of one spot instance
    Seconds restart;                     ///< find the fault, replace the node, load, warm up
    BytesPerSecond checkpoint_write;     ///< to shared storage, for each accelerator of the run
    BytesPerSecond
        checkpoint_write_least;   ///< of all: a drive of the machine, however few parts run
    double evaluation_share = 0;  ///< of the time of the steps
    double evaluation_share_high = 0;
    Tier tier = Tier::assumed;
    std::string source;
    std::string date;
    friend bool operator==(const RunCalibration&, const RunCalibration&) = default;
};

/// Measured spread of (measured / predicted) for one kind of figure, from the evidence.
struct ResidualBand {
    std::string quantity;  ///< "memory", "train_time", "inference", ...
    std::string kind;      ///< "full", "lora/hf-trainer", ...; most specific match wins; "" default
    double low = 0.8;      ///< 5th percentile of measured / predicted
    double high = 1.25;    ///< 95th percentile
    int rows = 0;
    std::vector<std::string>
        makers{};  ///< of all parts that the rows ran on ("NVIDIA"); empty: not told
    std::string source;
    friend bool operator==(const ResidualBand&, const ResidualBand&) = default;
};

/// Where to look for kernels that nobody measured on an architecture: the nearest older one of its
/// maker.
struct ArchitectureRelative {
    std::string architecture;
    std::string older;
    double least_capability =
        0;  ///< CUDA compute capability of the parts for which it holds; 0: all
    std::string source;
    friend bool operator==(const ArchitectureRelative&, const ArchitectureRelative&) = default;
};

/// Everything of profiles/calibration plus what --calibration adds (later entries win).
struct Calibration {
    std::vector<KernelCalibration> kernels;
    std::vector<CollectiveCalibration> collectives;
    std::vector<ContextCalibration> contexts;
    std::vector<SustainedCalibration> sustained;
    std::vector<AttentionCalibration> attention;
    std::vector<RunCalibration> runs;
    std::vector<ResidualBand> residuals;
    std::vector<ArchitectureRelative> relatives;
    friend bool operator==(const Calibration&, const Calibration&) = default;
};

}  // namespace ridgeline
