// Passes over arrays: STREAM, BLAS 1, reductions, sorting, states of qubits, and arithmetic without
// memory.
#include "estimate/families/kernel/kernel_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

/// Arrays read and written, and operations on each element.
struct ArrayPass {
    std::string_view name;
    double read;
    double written;
    double operations;
};

/// source  McCalpin, STREAM (bytes without write-allocate); LAPACK working note 41 (BLAS 1)
constexpr ArrayPass array_passes[] = {
    {"copy", 1, 1, 0}, {"read", 1, 0, 0},  {"fill", 0, 1, 0},   {"scale", 1, 1, 1},
    {"add", 2, 1, 1},  {"triad", 2, 1, 2}, {"axpy", 2, 1, 2},   {"dot", 2, 0, 2},
    {"nrm2", 1, 0, 2}, {"scal", 1, 1, 1},  {"reduce", 1, 0, 1},
};

/// Least significant digit first, 8 bits a pass, each pass reading and writing all keys, and one
/// read for the histograms.
/// source  Adinets and Merrill 2022, Onesweep
constexpr double digit_bits = 8;

Result<double> elements_of(const Kernel& kernel, ComputeType type) {
    if (kernel.elements > 0) {
        return kernel.elements;
    }
    if (kernel.bytes > 0) {
        return kernel.bytes / number_bytes(type);
    }
    double cells = kernel.size.empty() ? 0 : 1;
    for (const double side : kernel.size) {
        cells *= side;
    }
    if (cells > 0) {
        return cells;
    }
    return input_error(
        "kernel/elements",
        fmt::format("missing, expected the length of the array of \"{}\"", kernel.operation),
        "Example: --elements 100M.");
}

KernelWork sorting(ComputeType type, double keys, int devices) {
    const double g = number_bytes(type);
    const double digits = std::ceil(8 * g / digit_bits);
    KernelWork work;
    work.title = fmt::format("sort of {:.4g} keys of {:.0f} bits", keys, 8 * g);
    work.traffic = keys * g * (2 * digits + 1) * byte;
    work.resident = 2 * keys * g / devices * byte;
    work.copied_in = keys * g * byte;
    work.copied_out = work.copied_in;
    work.unit = "Gkey/s";
    work.amount = keys / 1e9;
    work.source = "Adinets and Merrill 2022, Onesweep";
    work.parts.push_back({.name = "digit passes",
                          .operator_class = OperatorClass::sort,
                          .traffic = work.traffic / devices,
                          .launches = digits + 1,
                          .formula = "g n (2 bits / 8 + 1) B"});
    if (devices > 1) {
        work.exchanges.push_back({.name = "keys to their ranges",
                                  .operation = Collective::all_to_all,
                                  .size = keys * g / devices * byte,
                                  .formula = "g n / p B"});
    }
    return work;
}

/// Multiply-adds whose operands stay in registers: the vector peak and nothing else.
KernelWork multiply_adds(const Kernel& kernel, int devices) {
    const double flops = kernel.elements > 0 ? 2 * kernel.elements : 1e12;
    KernelWork work;
    work.title = "multiply-adds in registers";
    work.flops = Flops::of_base(flops);
    work.unit = "GFLOP/s";
    work.amount = flops / 1e9;
    work.parts.push_back({.name = "multiply-adds",
                          .operator_class = OperatorClass::particles,
                          .flops = work.flops / devices,
                          .formula = "2 n FLOP"});
    return work;
}

/// One gate on one of n qubits: each pair of the 2^n complex amplitudes is read, multiplied by a
/// matrix of 2 x 2 and written back. Gates on the qubits that part the devices send half of the
/// state. source  Haener and Steiger 2017, 0.5 petabyte simulation of a 45-qubit quantum circuit
Result<KernelWork> gate_on_state(const Kernel& kernel, ComputeType type, int devices) {
    constexpr double most_qubits = 60;
    constexpr double flops_of_amplitude = 14;  // two complex products and their sum
    const double qubits = kernel.elements;
    if (qubits < 1 || qubits > most_qubits || qubits != std::floor(qubits)) {
        return input_error(
            "kernel/elements",
            fmt::format("found {:g}, expected whole qubits from 1 to {:g}", qubits, most_qubits),
            "Example: --elements 30.");
    }
    const double amplitudes = std::exp2(qubits);
    const Bytes state = amplitudes * 2 * number_bytes(type) * byte;
    KernelWork work;
    work.title = fmt::format("one gate on the state of {:.0f} qubits, {:.0f} bytes an amplitude",
                             qubits, 2 * number_bytes(type));
    work.flops = Flops::of_base(flops_of_amplitude * amplitudes);
    work.traffic = 2 * state;
    work.resident = state / devices;
    work.copied_in = state;
    work.copied_out = state;
    work.unit = "GB/s";
    work.amount = work.traffic / (1e9 * byte);
    work.source = "Haener and Steiger 2017, arXiv 1704.01127";
    work.parts.push_back({.name = "gate",
                          .operator_class = OperatorClass::streaming,
                          .flops = work.flops / devices,
                          .traffic = work.traffic / devices,
                          .formula = "2 x 2 g 2^n B"});
    if (devices > 1) {
        work.exchanges.push_back({.name = "gates on the qubits that part the devices",
                                  .operation = Collective::point_to_point,
                                  .size = state / devices / 2,
                                  .count = std::log2(devices) / qubits,
                                  .formula = "g 2^n / p B, log2(p) of n gates"});
    }
    return work;
}

}  // namespace

Result<KernelWork> stream_work(const Kernel& kernel, ComputeType type, const KernelPlace& place) {
    if (kernel.operation == "vector_fma") {
        return multiply_adds(kernel, place.devices);
    }
    if (kernel.operation == "state_vector") {
        return gate_on_state(kernel, type, place.devices);
    }
    const auto elements = elements_of(kernel, type);
    if (!elements) {
        return tl::unexpected(elements.error());
    }
    if (kernel.operation == "sort") {
        return sorting(type, *elements, place.devices);
    }
    const ArrayPass& pass = *std::ranges::find(array_passes, kernel.operation, &ArrayPass::name);
    const double array = *elements * number_bytes(type);
    const double arrays = pass.read + pass.written;
    KernelWork work;
    work.title =
        fmt::format("{} of {:.4g} elements", kernel_kind_named(kernel.operation)->title, *elements);
    work.flops = Flops::of_base(pass.operations * *elements);
    work.traffic = arrays * array * byte;
    // In-place updates (axpy, scal) write what they read.
    const double kept = kernel.operation == "axpy" ? 2 : kernel.operation == "scal" ? 1 : arrays;
    work.resident = kept * array / place.devices * byte;
    work.copied_in = pass.read * array * byte;
    work.copied_out = pass.written * array * byte;
    work.unit = "GB/s";
    work.amount = arrays * array / 1e9;
    work.source = "McCalpin, STREAM: bytes read and written, without write-allocate";
    work.parts.push_back({.name = "pass",
                          .operator_class = pass.read == 0 || pass.written == 0
                                                ? OperatorClass::one_way_stream
                                                : OperatorClass::streaming,
                          .flops = work.flops / place.devices,
                          .traffic = work.traffic / place.devices,
                          .formula = fmt::format("{:.0f} g n B", arrays)});
    const bool reduces =
        kernel.operation == "dot" || kernel.operation == "nrm2" || kernel.operation == "reduce";
    if (reduces && place.devices > 1) {
        work.exchanges.push_back({.name = "sum over devices",
                                  .operation = Collective::all_reduce,
                                  .size = number_bytes(type) * byte,
                                  .formula = "g B"});
    }
    return work;
}

}  // namespace ridgeline
