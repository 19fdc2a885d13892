#pragma once

#include "base/quantity.h"
#include "base/result.h"
#include "estimate/work/operator.h"
#include "spec/calibration.h"
#include "spec/kernel.h"

#include <string>
#include <string_view>
#include <vector>

namespace ridgeline {

/// One step of a kernel on one device: what it computes and moves, as many times as it runs.
struct KernelPart {
    std::string_view name{};  ///< "product", "passes", "pairs", ...
    OperatorClass operator_class = OperatorClass::streaming;
    Flops flops{};             ///< of one run
    Bytes traffic{};           ///< read and written by one run
    GemmShape product{};       ///< of a matrix product; all zero: none
    double integer_lanes = 0;  ///< integer operations of one run, beside its floating-point ones
    bool issue_bound = false;  ///< `flops` are instructions of lanes, two for each
    Seconds fixed{};           ///< of one run, whatever the device
    double count = 1;          ///< runs
    double launches = 1;       ///< kernels launched in one run, one after another
    std::string formula{};     ///< of operations and bytes, in the symbols of the size
};

/// What crosses the links between devices, from one device.
struct KernelExchange {
    std::string_view name{};
    Collective operation = Collective::point_to_point;
    Bytes size{};               ///< of one exchange, as CollectiveTime counts it
    double count = 1;           ///< exchanges, one after another
    bool hidden = false;        ///< beside the arithmetic where that lasts longer
    bool through_host = false;  ///< over PCIe into host memory and back
    std::string formula{};
};

/// A kernel as parts and exchanges, with what its answer is measured in.
struct KernelWork {
    std::string title;  ///< "3D Fourier transform, 512 x 512 x 512, complex fp64"
    std::vector<KernelPart> parts;
    std::vector<KernelExchange> exchanges;
    Flops flops;      ///< that count for the rate, of all devices together; 0: none
    Bytes traffic;    ///< least bytes between memory and units, of all devices together
    Bytes resident;   ///< arrays and work areas of one device
    Bytes copied_in;  ///< input from the host, where copies are asked for
    Bytes copied_out;
    std::string_view unit;    ///< "GFLOP/s", "GB/s", "MLUP/s", "ns/day", "Gkey/s"
    double amount = 0;        ///< of that unit's work: amount / seconds is the rate in `unit`
    std::string_view source;  ///< of the operation count
    std::vector<std::string> notes;  ///< what was assumed of it
    double least = 1;  ///< of the time that is told: what an engine that shares work better takes
};

/// Where a kernel runs, as far as its work depends on it.
struct KernelPlace {
    int devices = 1;
    Bytes memory{};  ///< of one device; sizes that nobody states fill 80 % of it
    Bytes block_memory = 48 * kibibyte;  ///< that a block of threads shares
};

/// The work of a kernel with numbers of `type`. errors  a kind that does not exist, a size that is
/// missing, zero or past 10^15, a type that the kind does not take
Result<KernelWork> kernel_work(const Kernel& kernel, ComputeType type, const KernelPlace& place);

// The kinds by subject; each takes a kernel whose kind is its own.
Result<KernelWork> dense_work(const Kernel& kernel, ComputeType type, const KernelPlace& place);
Result<KernelWork> stream_work(const Kernel& kernel, ComputeType type, const KernelPlace& place);
Result<KernelWork> grid_work(const Kernel& kernel, ComputeType type, const KernelPlace& place);
Result<KernelWork> transform_work(const Kernel& kernel, ComputeType type, const KernelPlace& place);
Result<KernelWork> sparse_work(const Kernel& kernel, ComputeType type, const KernelPlace& place);
Result<KernelWork> particle_work(const Kernel& kernel, ComputeType type, const KernelPlace& place);

/// Femtoseconds of a step of molecular dynamics: what is stated, else its forces' usual one.
double time_step_of(const Kernel& kernel);

/// Bytes of a number of `type` as it lies in memory.
double number_bytes(ComputeType type);

/// The sides of a kernel, a single one repeated `count` times. errors  none, or another count
Result<std::vector<double>> sides_of(const Kernel& kernel, int count);

/// "512 x 512 x 512".
std::string words_of_sides(const std::vector<double>& sides);

/// A grid cut over devices: parts along each side, as near to cubes as the count allows.
std::vector<int> cut_grid(const std::vector<double>& sides, int devices);

/// Bytes that a device sends of its faces, and in how many directions.
struct Faces {
    double cells = 0;
    int directions = 0;
};
Faces faces_of(const std::vector<double>& local, const std::vector<int>& parts);

}  // namespace ridgeline
