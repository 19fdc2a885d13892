#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::reading {

/// Lower case, with plain twins; bytes of other scripts stay. `origin` maps back to the question.
struct Folded {
    std::string text;
    std::vector<std::size_t> origin;
    void add(std::string_view piece, std::size_t from) {
        for (const char c : piece) {
            text += c;
            origin.push_back(from);
        }
    }
};
Folded folded(std::string_view question);

}  // namespace ridgeline::reading
