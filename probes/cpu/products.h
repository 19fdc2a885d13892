#pragma once

#include "probes/cpu/blas.h"
#include "probes/cpu/pages.h"
#include "probes/sampling.h"

#include <cstdint>

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
    /// Fills the result with NaN, so that an element that nobody writes shows.
    void poison();
    /// The largest difference of the last product to sums in higher precision, of what rounding
    /// allows; 1e30: not a number.
    [[nodiscard]] double error(const Shape& shape) const;
    /// All copies of the weight together might stay in a cache of so many bytes.
    [[nodiscard]] bool resident(const Shape& shape, double cache_bytes) const;

private:
    [[nodiscard]] std::size_t copies(const Shape& shape) const;
    [[nodiscard]] const T* weight(const Shape& shape, std::size_t turn) const;

    Pages<T> a_, b_, c_;
    std::size_t turn_ = 0;
};

/// Of the last cache that this core shares, as the system tells it; 32 MB where it does not.
/// (sysconf counts the caches of other sockets too.)
double last_cache_bytes();

extern template class CpuProducts<float>;
extern template class CpuProducts<double>;

}  // namespace probes
