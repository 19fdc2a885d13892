#pragma once

#include "estimate/results.h"
#include "estimate/work/script.h"

#include <array>
#include <string_view>
#include <vector>

namespace ridgeline {

/// Tensors alive at one moment of a script.
struct LiveInstant {
    std::string_view name;  ///< of the last mark
    int layer = -1;
    Bytes total;
    std::array<Bytes, categories> by_category{};
    /// One component a category that has any.
    [[nodiscard]] std::vector<Component> components() const;
};

struct LiveBytes {
    std::vector<LiveInstant> instants;         ///< highest moment under each mark, as they come
    std::size_t peak = 0;                      ///< index of the highest
    std::array<Bytes, streams> stream_peak{};  ///< highest of each stream's tensors, each by itself
    Bytes left;                                ///< alive when the script ends
};

/// Folds a script into the tensors alive. A loop is walked for its first and its last round; the
/// rounds between add what a round leaves behind, which is exact since rounds are equal.
LiveBytes live_bytes(const Script& script);

}  // namespace ridgeline
