#pragma once

#include "advise/answers/answer.h"

namespace ridgeline {

/// Reinforcement learning of small networks (`reading.environment`): whether the hardware that was
/// named does, else the cheapest card that does. The host that simulates decides the pace, so that
/// no time is told.
Answer reply_environment(const Reading& reading, const Catalog& catalog);

}  // namespace ridgeline
