#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace ridgeline::fuzz {

/// A reader of bytes that a stranger wrote. `read` may refuse them; it neither crashes nor throws.
struct Target {
    std::string_view name;  ///< "price_table"
    void (*read)(std::string_view bytes);
    std::vector<std::string_view> seeds;  ///< files or folders of the source tree
    std::vector<std::string_view> texts;  ///< more seeds, as they are
    bool slow = false;                    ///< searches: a tenth of the mutations suffices
};

std::span<const Target> targets();
/// Null where there is none.
const Target* target_named(std::string_view name);

}  // namespace ridgeline::fuzz
