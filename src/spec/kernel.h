#pragma once

#include "base/dtype.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline {

/// A single kernel with its sizes (task `kernel`). A size that a kind does not read is 0; kinds and
/// what they read stand in `kernel_kinds`.
struct Kernel {
    std::string operation;  ///< a name of `kernel_kinds`
    double m = 0;           ///< of a matrix product, when `size` is empty
    double n = 0;
    double k = 0;
    double bytes = 0;            ///< of one array of a stream, or of a collective
    int ranks = 1;               ///< of a collective
    std::vector<double> size{};  ///< sides of a matrix, grid or transform; one side stands for all
    double elements = 0;         ///< of an array; bodies, atoms, keys, cells or qubits
    double batch = 1;            ///< independent products or transforms
    double launches = 1;         ///< times that it runs one after another on the same data
    bool graph = false;          ///< launched from a recorded graph
    bool real = false;           ///< a transform of real numbers
    std::string format{};        ///< of a sparse matrix: "csr" (default) or "ell"
    double nonzeros = 0;
    double row_max = 0;       ///< most nonzeros of a row; 0: as the mean
    double row_variance = 0;  ///< of the nonzeros of a row
    double index_bytes = 4;
    std::string storage{};    ///< lattice Boltzmann: "fp32", "fp16s" or "fp16c"
    std::string method{};     ///< forces of molecular dynamics: "pme", "lj-pme", "rf", ...
    double time_step_fs = 0;  ///< of molecular dynamics; 0: the method's usual one
    std::string units{};      ///< "vector": not on the matrix units; empty: the faster
    std::string library{};    ///< "plain": a loop as written, not a tuned library
    double cores = 0;         ///< of a CPU that work; 0: all
    bool copies = false;      ///< host memory to the device before and back after count
    bool operator==(const Kernel&) const;  // many members: compiled once
};

/// What the size of a kind is.
enum class KernelSize { product, sides, elements, sparse, atoms, bytes, qubits };

/// A kind of kernel by name: what it is called, what size it takes, what it is usually run in.
struct KernelKind {
    std::string_view name;
    std::string_view title;  ///< "3D Fourier transform"
    KernelSize size;
    int sides = 0;      ///< that a single side stands for (a cube has 3)
    ComputeType usual;  ///< number type where nothing is said
};

std::span<const KernelKind> kernel_kinds();

/// The kind of that name; null when there is none.
const KernelKind* kernel_kind_named(std::string_view name);

/// A kernel whose sides, elements or rows of 27 numbers are `size`.
Kernel kernel_of_size(Kernel kernel, double size);

/// The number type of a kernel for which nobody said one.
ComputeType usual_type(const Kernel& kernel);

/// A name of the BLAS with its letter for the type ("dgemm") as a kind and a type; nothing for
/// other names.
struct TypedKernel {
    std::string_view kind;
    ComputeType type;
};
bool read_typed_kernel(std::string_view name, TypedKernel& typed);

}  // namespace ridgeline
