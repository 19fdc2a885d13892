#pragma once

#include "probes/cuda/operands.h"

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>

// The kernels of the CUDA probe behind plain functions, so that the rest is compiled by the host
// compiler alone.

namespace probes {

/// Normal(0, 1), or uniform -127 to 127 for i8, from a counter; `count` elements.
void fill_random(
    void* values, std::size_t count, Element element, std::uint64_t seed, cudaStream_t stream);
/// Every byte; 0xff makes NaN of each floating type.
void fill_bytes(void* values, std::size_t bytes, int byte, cudaStream_t stream);

/// One output element of a product, recomputed in fp64 from the operands as they are stored.
struct Sample {
    unsigned row = 0;
    unsigned column = 0;
    double found = 0;
    double reference = 0;
};
/// Weight is n x k, activations are m x k, the result is m x n, all row by row. `samples` lies in
/// device memory; row and column are given.
void recompute(Sample* samples,
               int count,
               const void* weight,
               const void* activations,
               const void* result,
               Element operand,
               Element output,
               std::size_t n,
               std::size_t k,
               cudaStream_t stream);

/// One pass over `bytes` of each array by 16-byte words.
void stream_pass(Pass pass,
                 void* a,
                 const void* b,
                 const void* c,
                 std::size_t bytes,
                 int blocks,
                 int threads,
                 cudaStream_t stream);

void empty_launch(cudaStream_t stream);

/// Spins for about a millisecond; counts[0] clock cycles and counts[1] nanoseconds passed.
void count_clock(unsigned long long* counts, cudaStream_t stream);

}  // namespace probes
