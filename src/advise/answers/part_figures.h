#pragma once

#include "advise/answers/answer.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline {

/// The quantity of a link's rate, which a part without NVLink does not have.
inline constexpr std::string_view nvlink_rate = "NVLink rate";

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
