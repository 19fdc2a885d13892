#pragma once

#include "advise/answers/answer.h"
#include "advise/reading/reading.h"
#include "report/report.h"

#include <string>

namespace ridgeline::report {

/// `document` (a JSON object as text) with the objects "reading" and "answer" at its end.
std::string with_answer(std::string document, const Reading& reading, const Answer& answer);

/// The reply, and the reading as flags with what moved the answer most, in two to four lines.
std::string answer_text(const Reading& reading, const Answer& answer, const Style& style);

}  // namespace ridgeline::report
