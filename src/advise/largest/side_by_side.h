#pragma once

#include "advise/answers/answer.h"

namespace ridgeline {

/// How many copies of a served model, or runs that train one, a cluster holds side by side, each
/// with its own weights and work and none over two cards. They share the card's time.
Result<Answer> largest_copies(const Reading& reading, const Cluster& cluster,
                              const AnswerTools& tools);

/// How many cameras, feeds or live speakers one place serves: frames or windows of sound a second
/// that it reaches over those of each. Precondition: `query.workload.serving`.
Result<Answer> largest_streams(const Reading& reading, const Query& query, const Cluster& cluster,
                               const AnswerTools& tools);

}  // namespace ridgeline
