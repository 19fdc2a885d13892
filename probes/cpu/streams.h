#pragma once

#include "probes/cpu/pages.h"

#include <cstddef>
#include <string>
#include <vector>

namespace probes {

/// Arrays of doubles that each thread touches first and then works on, so that they lie near it.
class Streams {
public:
    Streams(std::size_t elements, int threads);

    /// Seconds of one pass; `name` is copy, triad, read or fill.
    double pass(const std::string& name);
    /// Bytes that a pass moves, as STREAM counts them: copy 2, triad 3, read and fill 1 array.
    [[nodiscard]] double bytes_of(const std::string& name) const;
    /// The arrays hold what the passes should have left in them.
    [[nodiscard]] bool correct() const;

private:
    template <typename Work>
    double timed(Work work);

    std::size_t elements_;
    int threads_;
    Pages<double> a_, b_, c_;
    std::vector<double> sums_;
};

}  // namespace probes
