#pragma once

#include <string>

namespace probes {

/// Seconds that `threads` threads take for `rounds` rounds of multiply-adds in registers each, and
/// the operations of all of them: the peak that products are measured against.
struct FmaRun {
    double seconds = 0;
    double flop = 0;
};
FmaRun fma_run(bool fp64, int threads, long rounds);

/// Widest vectors in use: "AVX-512", "AVX2", "baseline".
std::string vector_kind();

}  // namespace probes
