#pragma once

#include "advise/answers/answer.h"

#include <optional>
#include <string>
#include <vector>

namespace ridgeline {

/// One figure of a part, in words and, where it is a number, as a value.
struct PartFigure {
    std::string words;
    std::optional<AnswerValue> value;
};

/// The figures of a part that a question asks for; memory, bandwidth, rates and power where it
/// names none.
std::vector<PartFigure> figures_of(const Reading& reading, const Accelerator& part,
                                   const Catalog& catalog);

}  // namespace ridgeline
