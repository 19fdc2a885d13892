#pragma once

namespace probes {

/// C = A B by this file's own kernel: blocks that stay in the caches, tiles that stay in registers.
/// Row by row, A (m x k), B (k x n). It needs no library, and it shows whether the library that is
/// there makes use of this CPU's vectors. Method: Goto and van de Geijn, Anatomy of
/// High-Performance Matrix Multiplication, ACM TOMS 34 (2008).
void blocked_product(int threads, int m, int n, int k, const float* a, const float* b, float* c);
void blocked_product(int threads, int m, int n, int k, const double* a, const double* b, double* c);

}  // namespace probes
