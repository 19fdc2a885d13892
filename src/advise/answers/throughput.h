#pragma once

#include "advise/answers/answer.h"

#include <string>

namespace ridgeline {

/// Of a server of texts on `where`: what a request and all together get.
Answer decoding_reply(const Reading& reading, const Placement& placement, const std::string& where);
/// Of training, and of models that answer all at once: tokens, images or samples a second.
Answer sample_reply(const Reading& reading, const Placement& placement, const std::string& where);

}  // namespace ridgeline
