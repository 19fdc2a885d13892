#pragma once

#include "advise/reading/words/token.h"

#include <vector>

namespace ridgeline::reading {

class Names;

/// Signs, single letters and words of other languages become what they stand for, by what is
/// around them: "w lora" is "with lora", "command r+" is "command r plus", "yolov8 large" is
/// "yolov8l", "gebraucht" is "used".
void settle_shorthand(std::vector<Token>& tokens, const Names& names);

/// "over night" is one word, and so are "24/7" and "max-q".
void join_overnight(std::vector<Token>& tokens);

}  // namespace ridgeline::reading
