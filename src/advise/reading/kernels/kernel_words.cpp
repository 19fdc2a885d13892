#include "advise/reading/kernels/kernel_words.h"

#include "advise/reading/kernels/kernel_sizes.h"

#include <array>

namespace ridgeline::reading {

std::span<const KernelWords> kernel_names() {
    static constexpr std::array names = {
        KernelWords{"3d fourier transform", "fft3d"},
        KernelWords{"2d fourier transform", "fft2d"},
        KernelWords{"fourier transform", "fft"},
        KernelWords{"3d fft", "fft3d"},
        KernelWords{"2d fft", "fft2d"},
        KernelWords{"1d fft", "fft1d"},
        KernelWords{"fft3d", "fft3d"},
        KernelWords{"fft2d", "fft2d"},
        KernelWords{"fft1d", "fft1d"},
        KernelWords{"ffts", "fft"},
        KernelWords{"cufft", "fft"},
        KernelWords{"rocfft", "fft"},
        KernelWords{"hipfft", "fft"},
        KernelWords{"vkfft", "fft"},
        KernelWords{"fftw", "fft"},
        KernelWords{"fft", "fft"},
        KernelWords{"dgemm", "gemm", ComputeType::fp64},
        KernelWords{"sgemm", "gemm", ComputeType::fp32},
        KernelWords{"hgemm", "gemm", ComputeType::fp16},
        KernelWords{"gemm", "gemm"},
        KernelWords{"matmul", "gemm"},
        KernelWords{"matrix multiplication", "gemm"},
        KernelWords{"matrix multiply", "gemm"},
        KernelWords{"matrix product", "gemm"},
        KernelWords{"dense linear algebra", "gemm"},
        KernelWords{"dense matrices", "gemm"},
        KernelWords{"dgemv", "gemv", ComputeType::fp64},
        KernelWords{"sgemv", "gemv", ComputeType::fp32},
        KernelWords{"daxpy", "axpy", ComputeType::fp64},
        KernelWords{"saxpy", "axpy", ComputeType::fp32},
        KernelWords{"axpy", "axpy"},
        KernelWords{"dot product", "dot"},
        KernelWords{"stream triad", "triad"},
        KernelWords{"stream copy", "copy"},
        KernelWords{"stream scale", "scale"},
        KernelWords{"stream add", "add"},
        KernelWords{"stream benchmark", "triad"},
        KernelWords{"babelstream", "triad", ComputeType::fp64},
        KernelWords{"triad", "triad"},
        KernelWords{"sparse matrix vector", "spmv"},
        KernelWords{"sparse matrix", "spmv"},
        KernelWords{"sparse matrices", "spmv"},
        KernelWords{"sparse solver", "spmv"},
        KernelWords{"sparse linear algebra", "spmv"},
        KernelWords{"conjugate gradient", "hpcg", ComputeType::fp64},
        KernelWords{"cg solver", "hpcg", ComputeType::fp64},
        KernelWords{"cg solve", "hpcg", ComputeType::fp64},
        KernelWords{"pcg", "hpcg", ComputeType::fp64},
        KernelWords{"multigrid", "hpcg", ComputeType::fp64},
        KernelWords{"spmv", "spmv"},
        KernelWords{"spmm", "spmm"},
        KernelWords{"linpack", "hpl", ComputeType::fp64},
        KernelWords{"hpl", "hpl", ComputeType::fp64},
        KernelWords{"lu factorization", "hpl", ComputeType::fp64},
        KernelWords{"lu factorisation", "hpl", ComputeType::fp64},
        KernelWords{"lu decomposition", "hpl", ComputeType::fp64},
        KernelWords{"dense lu", "hpl", ComputeType::fp64},
        KernelWords{"dense linear solve", "hpl", ComputeType::fp64},
        KernelWords{"dense linear solver", "hpl", ComputeType::fp64},
        KernelWords{"dense linear system", "hpl", ComputeType::fp64},
        KernelWords{"dgetrf", "hpl", ComputeType::fp64},
        KernelWords{"cholesky", "hpl", ComputeType::fp64},
        KernelWords{"dpotrf", "hpl", ComputeType::fp64},
        KernelWords{"hpcg", "hpcg", ComputeType::fp64},
        KernelWords{"n body", "nbody"},
        KernelWords{"nbody", "nbody"},
        KernelWords{"ns day", "molecular_dynamics"},
        KernelWords{"ns per day", "molecular_dynamics"},
        KernelWords{"molecular dynamics", "molecular_dynamics"},
        KernelWords{"md simulation", "molecular_dynamics"},
        KernelWords{"md simulations", "molecular_dynamics"},
        KernelWords{"md runs", "molecular_dynamics"},
        KernelWords{"md of", "molecular_dynamics"},
        KernelWords{"openmm", "molecular_dynamics", {}, true},
        KernelWords{"lammps", "molecular_dynamics", {}, true},
        KernelWords{"gromacs", "molecular_dynamics", {}, true},
        KernelWords{"namd", "molecular_dynamics", {}, true},
        KernelWords{"amber", "molecular_dynamics", {}, true},
        KernelWords{"lennard jones", "molecular_dynamics"},
        KernelWords{"lennard jonesium", "molecular_dynamics"},
        KernelWords{"lj fluid", "molecular_dynamics"},
        KernelWords{"lj melt", "molecular_dynamics"},
        KernelWords{"lj liquid", "molecular_dynamics"},
        KernelWords{"statevector", "state_vector"},
        KernelWords{"state vector", "state_vector"},
        KernelWords{"quantum circuit", "state_vector"},
        KernelWords{"qubits", "state_vector"},
        KernelWords{"qubit", "state_vector"},
        KernelWords{"27 point stencil", "stencil27"},
        KernelWords{"7 point stencil", "stencil7"},
        KernelWords{"stencil 27 point", "stencil27"},
        KernelWords{"stencil 7 point", "stencil7"},
        KernelWords{"27pt stencil", "stencil27"},
        KernelWords{"stencil 27pt", "stencil27"},
        KernelWords{"7pt stencil", "stencil7"},
        KernelWords{"stencil 7pt", "stencil7"},
        KernelWords{"stencil", "stencil7"},
        KernelWords{"lattice boltzmann", "lbm_d3q19"},
        KernelWords{"fluidx3d", "lbm_d3q19"},
        KernelWords{"lbm", "lbm_d3q19"},
        KernelWords{"d3q19", "lbm_d3q19"},
        // Fused, each reads and writes its numbers once.
        KernelWords{"softmax", "copy", ComputeType::bf16},
        KernelWords{"layernorm", "copy", ComputeType::bf16},
        KernelWords{"layer norm", "copy", ComputeType::bf16},
        KernelWords{"rmsnorm", "copy", ComputeType::bf16},
        KernelWords{"rms norm", "copy", ComputeType::bf16},
        KernelWords{"radix sort", "sort"},
        KernelWords{"reduce scatter", "reduce_scatter"},
        KernelWords{"all reduce", "all_reduce"},
        KernelWords{"allreduce", "all_reduce"},
        KernelWords{"all gather", "all_gather"},
        KernelWords{"allgather", "all_gather"},
        KernelWords{"all to all", "all_to_all"},
        KernelWords{"alltoall", "all_to_all"},
        KernelWords{"nccl test", "all_reduce"},
        KernelWords{"nccl tests", "all_reduce"},
    };
    return names;
}

std::span<const TypeWords> number_types() {
    static constexpr std::array types = {
        TypeWords{"fp16 accumulate", ComputeType::fp16_fp16_accumulate},
        TypeWords{"fp16 accumulation", ComputeType::fp16_fp16_accumulate},
        TypeWords{"fp16 accumulator", ComputeType::fp16_fp16_accumulate},
        TypeWords{"fp16 accumulators", ComputeType::fp16_fp16_accumulate},
        TypeWords{"fp16 sums", ComputeType::fp16_fp16_accumulate},
        TypeWords{"sums in fp16", ComputeType::fp16_fp16_accumulate},
        TypeWords{"accumulate in fp16", ComputeType::fp16_fp16_accumulate},
        TypeWords{"accumulating in fp16", ComputeType::fp16_fp16_accumulate},
        TypeWords{"accumulated in fp16", ComputeType::fp16_fp16_accumulate},
        TypeWords{"half precision accumulate", ComputeType::fp16_fp16_accumulate},
        TypeWords{"half precision accumulation", ComputeType::fp16_fp16_accumulate},
        TypeWords{"complex64", ComputeType::fp32},  // two numbers of 32 bits
        TypeWords{"complex128", ComputeType::fp64},
        TypeWords{"float64", ComputeType::fp64},
        TypeWords{"uint64", ComputeType::fp64},  // what is sorted moves as so many bytes
        TypeWords{"int64", ComputeType::fp64},
        TypeWords{"64 bit", ComputeType::fp64},
        TypeWords{"64bit", ComputeType::fp64},
        TypeWords{"uint32", ComputeType::fp32},
        TypeWords{"int32", ComputeType::fp32},
        TypeWords{"float32", ComputeType::fp32},
        TypeWords{"complex single", ComputeType::fp32},
        TypeWords{"single complex", ComputeType::fp32},
        TypeWords{"c2c single", ComputeType::fp32},
        TypeWords{"complex double", ComputeType::fp64},
        TypeWords{"double precision", ComputeType::fp64},
        TypeWords{"single precision", ComputeType::fp32},
        TypeWords{"half precision", ComputeType::fp16},
        TypeWords{"fp64", ComputeType::fp64},
        TypeWords{"double", ComputeType::fp64},
        TypeWords{"doubles", ComputeType::fp64},
        TypeWords{"fp32", ComputeType::fp32},
        TypeWords{"tf32", ComputeType::tf32},
        TypeWords{"fp16", ComputeType::fp16},
        TypeWords{"bf16", ComputeType::bf16},
        TypeWords{"fp8", ComputeType::fp8},
        TypeWords{"int8", ComputeType::int8},
        TypeWords{"float", ComputeType::fp32},  // last: "fp16 with float accumulation" is fp16
        TypeWords{"floats", ComputeType::fp32},
    };
    return types;
}

// The suites of Amber (ambermd.org/GPUPerformance.php), NAMD (ks.uiuc.edu/Research/namd/utilities)
// and the benchmarks of Kutzner et al. for GROMACS (mpinat.mpg.de/grubmueller/bench).
std::span<const MolecularSystem> molecular_systems() {
    static constexpr std::array systems = {
        MolecularSystem{"stmv", 1'066'628},
        MolecularSystem{"satellite tobacco mosaic virus", 1'066'628},
        MolecularSystem{"cellulose", 408'609},
        MolecularSystem{"factor ix", 90'906},
        MolecularSystem{"factorix", 90'906},
        MolecularSystem{"apoa1", 92'224},
        MolecularSystem{"dhfr", 23'558},
        MolecularSystem{"jac", 23'558},
        MolecularSystem{"f1atpase", 327'506},
        MolecularSystem{"benchmem", 81'743},
        MolecularSystem{"benchrib", 2'136'412},
        MolecularSystem{"benchpep", 12'495'503},
    };
    return systems;
}

std::size_t covers(std::string_view text, std::size_t at, std::string_view words) {
    std::size_t i = at;
    for (const char c : words) {
        if (c == ' ') {
            const std::size_t before = i;
            while (i < text.size() && (text[i] == ' ' || text[i] == '-' || text[i] == '/')) {
                ++i;
            }
            if (i == before) {
                return 0;
            }
        } else if (i < text.size() && text[i] == c) {
            ++i;
        } else {
            return 0;
        }
    }
    return i < text.size() && part_of_word(text[i]) ? 0 : i - at;
}

Span find_words(std::string_view text, std::string_view words) {
    for (std::size_t at = 0; at < text.size(); ++at) {
        if ((at == 0 || !part_of_word(text[at - 1])) && text[at] == words.front()) {
            if (const std::size_t length = covers(text, at, words); length > 0) {
                return {at, at + length};
            }
        }
    }
    return {};
}

void claim_span(Sentence& sentence, const Span& span) {
    for (Token& token : sentence.tokens) {
        if (token.begin < span.end && token.end > span.begin) {
            token.claimed = true;
        }
    }
}

}  // namespace ridgeline::reading
