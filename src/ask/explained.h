#pragma once

#include "advise/answers/answer.h"
#include "ask/question.h"
#include "ask/request.h"
#include "ask/world.h"

namespace ridgeline::ask {

/// Puts around an answer what a newcomer has to know: the sentence that explains it, the answer to
/// a question beside it, the time of a download, and the smaller model where one that nobody named
/// does not fit.
void explain(const Request& request, const Question& asked, const World& world, Answer& reply);

}  // namespace ridgeline::ask
