#pragma once

#include "ask/question.h"
#include "ask/request.h"
#include "ask/world.h"

namespace ridgeline::ask {

/// The document and the answer in one breath of a question in words, by its intent.
Result<Reply> route(const Request& request, Question& asked, const World& world);

}  // namespace ridgeline::ask
