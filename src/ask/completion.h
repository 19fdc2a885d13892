#pragma once

#include "ask/world.h"

#include <string>
#include <vector>

namespace ridgeline::ask {

/// A word that may stand where the cursor is.
struct Completion {
    std::string word;
    std::string help;  ///< one line; may be empty
};

/// What may follow: `words` are those after the program's name, the last one as far as it is typed
/// ("" when it has not begun). Nothing where a file or free text is expected.
std::vector<Completion> completions_of(const World& world, const std::vector<std::string>& words);

}  // namespace ridgeline::ask
