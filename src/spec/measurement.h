#pragma once

#include "base/dtype.h"
#include "base/quantity.h"
#include "spec/calibration.h"
#include "spec/device_record.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline {

/// Version of the measuring methods of probes/; figures of another version are not comparable.
inline constexpr int probe_method = 1;

struct FitInterval {
    double low = 0;
    double high = 0;
    friend bool operator==(const FitInterval&, const FitInterval&) = default;
};

/// Times of the repetitions of one point.
struct Spread {
    Seconds median;
    Seconds p10;
    Seconds p90;
    Seconds least;
    int samples = 0;
    friend bool operator==(const Spread&, const Spread&) = default;
};

enum class PointKind {
    gemm,       ///< name: operand type; m, n, k
    stream,     ///< name: copy, triad, read, fill; bytes moved as STREAM counts them
    vector,     ///< name: operand type; multiply-adds in registers, `work` operations: a CPU's peak
    host_link,  ///< name: "h2d pinned", "d2h pageable", "both pinned", ...; bytes of one direction
    peer_link,  ///< name: "one way", "both ways"; bytes of one direction
    launch,     ///< name: "host", "graph gap", "synchronize"
    sustained,  ///< name: operand type; a product after seconds of load
    collective,  ///< name: as nccl-tests; bytes of the whole buffer, ranks, nodes
    storage,     ///< name: "direct read", "buffered read"; bytes
    overlap,     ///< name: "product", "collective", "both" at once; m, n, k, bytes, ranks
    count_
};
std::string_view name_of(PointKind kind);
std::optional<PointKind> point_kind_named(std::string_view name);

/// One measured time and the work that was done in it. `probes/record.h` has the plain form.
struct MeasuredPoint {
    PointKind kind = PointKind::gemm;
    std::string name;
    double m = 0;
    double n = 0;
    double k = 0;
    double bytes = 0;
    double work = 0;  ///< operations, where no shape says it
    int ranks = 1;
    int nodes = 1;
    int threads = 0;  ///< 0: does not apply
    Spread time;
    std::optional<Seconds> slowest_rank;  ///< median of the slowest rank's times
    std::optional<bool> correct;          ///< compared with a reference
    std::optional<double> error;          ///< of that comparison, of what it tolerates
    std::optional<double> clock_mhz;
    std::optional<double> power_w;
    std::vector<std::string> flags;  ///< "noisy", "throttled", "resident", ...

    [[nodiscard]] bool flagged(std::string_view flag) const;
    friend bool operator==(const MeasuredPoint&, const MeasuredPoint&) = default;
};

/// "all_reduce", ..., as nccl-tests names them.
std::string_view name_of(Collective operation);
std::optional<Collective> collective_named(std::string_view name);

/// "gemm bf16 4096x4096x4096", "collective all_reduce 1048576 B x8".
std::string label_of(const MeasuredPoint& point);
/// The time of a point that predictions rest on: the median, or the least where the probe says that
/// a busy core slows many repetitions and speeds up none ("best of").
Seconds counted_time(const MeasuredPoint& point);
/// FLOPs of a product or of `work`.
Flops work_of(const MeasuredPoint& point);

/// What fractions were divided by, so that they can be based anew when a datasheet row changes.
struct RateReference {
    std::string accelerator;  ///< catalog id, or "local-cpu"
    std::string source;       ///< "catalog 2026.11" or "measured: FMA loop, STREAM"
    std::array<std::optional<FlopsPerSecond>, compute_types> peak;
    BytesPerSecond memory_bandwidth;
    int units = 0;  ///< SMs, CUs: tiles of a product run in waves over them; 0: unknown
    friend bool operator==(const RateReference&, const RateReference&) = default;
};

/// Errors of a fit: medians and 90th percentiles of |model / measured - 1|.
struct FitErrors {
    double median = 0;
    double p90 = 0;
    double holdout_median = 0;  ///< each site predicted by a fit that never saw it
    double holdout_p90 = 0;
    int points = 0;
    int dropped = 0;  ///< noisy, wrong or throttled points left out
    friend bool operator==(const FitErrors&, const FitErrors&) = default;
};

/// t = t0 + ((F' / aP)^2 + (B / bW)^2)^(1/2), with 95 % bootstrap intervals. F' = F + w (F_full -
/// F): F_full counts every tile and every wave of tiles over the units as full.
struct FittedProducts {
    ComputeType compute = ComputeType::bf16;
    double compute_fraction = 0;
    double bandwidth_fraction = 0;
    Seconds overhead;
    double wave_share = 0;         ///< w, as in Efficiency
    double quantize_fraction = 0;  ///< of products that quantise their activations; 0: bare
    FitInterval compute_interval;
    FitInterval bandwidth_interval;
    FitInterval overhead_interval_us;
    FitInterval wave_interval;
    std::optional<double> large_shape_fraction;  ///< median of F / (t P) over m, n, k >= 4096
    FitErrors errors;
    std::string quality;  ///< "good", "fair", "poor"
    friend bool operator==(const FittedProducts&, const FittedProducts&) = default;
};

/// t = alpha + f(ranks) S / beta + gamma sqrt(S).
struct FittedCollective {
    Collective operation = Collective::all_reduce;
    int ranks = 2;
    int nodes = 1;
    Seconds alpha;
    BytesPerSecond bandwidth;  ///< bus bandwidth, asymptote
    double gamma_us_per_sqrt_mib = 0;
    FitInterval alpha_interval_us;
    FitInterval bandwidth_interval_gb_per_s;
    BytesPerSecond largest_measured;  ///< bus bandwidth
    FitErrors errors;
    friend bool operator==(const FittedCollective&, const FittedCollective&) = default;
};

struct MeasuringSoftware {
    std::string driver;
    std::string cuda_driver;
    std::string cuda_runtime;
    std::string blas;         ///< "cuBLASLt 13.1", "OpenBLAS 0.3.21 SkylakeX"
    std::string collectives;  ///< "NCCL 2.28.9", "Open MPI 4.1.4"
    std::string system;       ///< kernel and distribution
    std::string cpu;
    friend bool operator==(const MeasuringSoftware&, const MeasuringSoftware&) = default;
};

struct MeasuringConditions {
    std::string data;  ///< "normal(0, 1), seed 1234"
    std::optional<bool> clocks_locked;
    std::optional<double> temperature_max_c;
    std::optional<int> other_processes;
    std::optional<double> load_average;     ///< a minute before the start
    std::optional<double> disturbed_share;  ///< of the repetitions: thrown away, others took a core
    std::optional<double> drift;            ///< first point measured again at the end, ratio - 1
    bool interrupted = false;
    friend bool operator==(const MeasuringConditions&, const MeasuringConditions&) = default;
};

/// One run of a probe, or what several were merged into.
struct MeasuredRun {
    std::string tool;  ///< version of the program
    int method = probe_method;
    std::string created;  ///< UTC, "2026-11-21T07:00:00Z"
    double duration_s = 0;
    std::string backend;   ///< "cpu", "cuda", "mpi"
    std::string node;      ///< salted hash of the machine id, or a name the user gave
    int device_count = 1;  ///< alike on the machine
    DeviceRecord device;
    std::string matched_by;  ///< how the device was matched to the reference's accelerator
    RateReference reference;
    MeasuringSoftware software;
    MeasuringConditions conditions;
    std::vector<MeasuredPoint> points;
    std::vector<FittedProducts> products;
    std::vector<FittedCollective> collectives;
    std::vector<std::string> warnings;
    std::vector<std::string> merged_from;
    friend bool operator==(const MeasuredRun&, const MeasuredRun&) = default;
};

/// A calibration file: the rows that answers rest on and, where a probe wrote it, how they came
/// about.
struct CalibrationFile {
    std::string path;
    std::optional<MeasuredRun> measurement;
    Calibration rows;
};

}  // namespace ridgeline
