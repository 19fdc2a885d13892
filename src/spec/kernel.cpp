#include "spec/kernel.h"

#include "spec/workload.h"

#include <algorithm>
#include <array>

namespace ridgeline {
namespace {

using enum KernelSize;

constexpr KernelKind kernel_row(std::string_view name, std::string_view title, KernelSize size,
                                ComputeType usual = ComputeType::fp64, int sides_of_one = 0) {
    return {name, title, size, sides_of_one, usual};
}

constexpr std::array kernels_known = {
    kernel_row("gemm", "matrix product", product, ComputeType::bf16, 3),
    kernel_row("symm", "product with a symmetric matrix", product, ComputeType::fp64, 2),
    kernel_row("syrk", "symmetric rank-k update", product, ComputeType::fp64, 2),
    kernel_row("trmm", "product with a triangular matrix", product, ComputeType::fp64, 2),
    kernel_row("trsm", "triangular solve with many right-hand sides", product, ComputeType::fp64,
               2),
    kernel_row("gemv", "matrix by vector", product, ComputeType::fp64, 2),
    kernel_row("symv", "symmetric matrix by vector", product, ComputeType::fp64, 1),
    kernel_row("trsv", "triangular solve", product, ComputeType::fp64, 1),
    kernel_row("ger", "rank-1 update", product, ComputeType::fp64, 2),
    kernel_row("axpy", "y = a x + y", elements),
    kernel_row("dot", "inner product", elements),
    kernel_row("nrm2", "norm of a vector", elements),
    kernel_row("scal", "x = a x", elements),
    kernel_row("copy", "STREAM copy", bytes),
    kernel_row("read", "read of memory", bytes),
    kernel_row("fill", "fill of memory", bytes),
    kernel_row("scale", "STREAM scale", bytes),
    kernel_row("add", "STREAM add", bytes),
    kernel_row("triad", "STREAM triad", bytes),
    kernel_row("reduce", "reduction to one number", elements),
    kernel_row("sort", "sort of keys", elements, ComputeType::fp32),
    kernel_row("vector_fma", "multiply-adds in registers", elements, ComputeType::fp64),
    kernel_row("state_vector", "gate on a state of qubits", qubits),
    kernel_row("stencil7", "7-point stencil", sides, ComputeType::fp64, 3),
    kernel_row("stencil27", "27-point stencil", sides, ComputeType::fp64, 3),
    kernel_row("lbm_d3q19", "lattice Boltzmann D3Q19", sides, ComputeType::fp32, 3),
    kernel_row("halo", "exchange of the faces of a grid", sides, ComputeType::fp64, 3),
    kernel_row("fft", "Fourier transform", sides, ComputeType::fp64, 1),
    kernel_row("fft1d", "1D Fourier transform", sides, ComputeType::fp64, 1),
    kernel_row("fft2d", "2D Fourier transform", sides, ComputeType::fp64, 2),
    kernel_row("fft3d", "3D Fourier transform", sides, ComputeType::fp64, 3),
    kernel_row("spmv", "sparse matrix by vector", sparse),
    kernel_row("spmm", "sparse matrix by dense matrix", sparse),
    kernel_row("hpcg", "HPCG", sides, ComputeType::fp64, 3),
    kernel_row("hpl", "HPL (Linpack)", sides, ComputeType::fp64, 1),
    kernel_row("nbody", "N-body, all pairs", elements, ComputeType::fp32),
    kernel_row("molecular_dynamics", "molecular dynamics", atoms, ComputeType::fp32),
    kernel_row("all_reduce", "all-reduce", bytes, ComputeType::bf16),
    kernel_row("reduce_scatter", "reduce-scatter", bytes, ComputeType::bf16),
    kernel_row("all_gather", "all-gather", bytes, ComputeType::bf16),
    kernel_row("all_to_all", "all-to-all", bytes, ComputeType::bf16),
    kernel_row("p2p", "point to point", bytes, ComputeType::bf16),
};

/// Names of the BLAS that take a letter for their type.
constexpr std::array<std::string_view, 13> lettered = {"gemm", "symm", "syrk", "trmm", "trsm",
                                                       "gemv", "symv", "trsv", "ger",  "axpy",
                                                       "dot",  "nrm2", "scal"};

}  // namespace

std::span<const KernelKind> kernel_kinds() { return kernels_known; }

const KernelKind* kernel_kind_named(std::string_view name) {
    const auto found = std::ranges::find(kernels_known, name, &KernelKind::name);
    return found == kernels_known.end() ? nullptr : &*found;
}

Kernel kernel_of_size(Kernel kernel, double size) {
    const KernelKind* kind = kernel_kind_named(kernel.operation);
    if (kind->size == KernelSize::sparse) {
        constexpr double usual_row = 27;  // of a 27-point stencil, as HPCG has it
        kernel.size = {size, size};
        kernel.nonzeros = usual_row * size;
    } else if (kind->size == KernelSize::product || kind->size == KernelSize::sides) {
        kernel.size = {size};
    } else {
        kernel.elements = size;
    }
    return kernel;
}

ComputeType usual_type(const Kernel& kernel) {
    const KernelKind* kind = kernel_kind_named(kernel.operation);
    return kind != nullptr ? kind->usual : ComputeType::fp64;
}

bool read_typed_kernel(std::string_view name, TypedKernel& typed) {
    if (name.size() < 4) {
        return false;
    }
    const auto found = std::ranges::find(lettered, name.substr(1));
    const char letter = name.front();
    if (found == lettered.end() || (letter != 'd' && letter != 's' && letter != 'h')) {
        return false;
    }
    typed.kind = *found;
    typed.type = letter == 'd'   ? ComputeType::fp64
                 : letter == 's' ? ComputeType::fp32
                                 : ComputeType::fp16;
    return true;
}

bool Kernel::operator==(const Kernel&) const = default;

bool Workload::operator==(const Workload&) const = default;

}  // namespace ridgeline
