#pragma once

#include "probes/cpu/blas.h"
#include "probes/sampling.h"

#include <cstdint>
#include <vector>

namespace probes {

/// Operands of matrix products on this CPU, the two ways to multiply them, and the check.
template <typename T>
class CpuProducts {
public:
    /// Room for edges up to `most_edge`, filled with normal(0, 1) numbers by so many threads.
    CpuProducts(std::size_t most_edge, std::uint64_t seed, int threads);

    /// Seconds of one product by the library, or by this probe's own kernel where `blas` is null.
    /// The weight is another copy at each turn, so that no cache holds it.
    double once(const Blas* blas, const Shape& shape, int threads);
    /// The largest difference to sums in higher precision, of what rounding allows, of a product
    /// that is made now; 1e30: not a number.
    double checked(const Blas* blas, const Shape& shape, int threads);
    /// All copies of the weight together might stay in a cache of so many bytes.
    [[nodiscard]] bool resident(const Shape& shape, double cache_bytes) const;

private:
    [[nodiscard]] std::size_t copies(const Shape& shape) const;

    std::vector<T> a_, b_, c_;
    std::size_t turn_ = 0;
};

extern template class CpuProducts<float>;
extern template class CpuProducts<double>;

}  // namespace probes
