#pragma once

#include "advise/answers/answer.h"
#include "advise/stacks/lean.h"

#include <string>

namespace ridgeline {

struct Neighbours {
    std::string words;
    std::string experts;  ///< the largest mixture that is told, larger than the dense models
    std::string figures;  ///< " (58.9 of 96.0 GiB, 56.4 tokens/s)": of that
    double experts_parameters = 0;
};

/// " qwen2.5-72b takes 43 of 47 GiB at 20 tokens/s; qwen3-110b lacks 12 GiB. The largest that
/// people run: ...": models that exist on both sides of the largest size, and what is larger and
/// fits. What is slower than the question wants is said to be.
///
/// asked  the use, without a model
/// size   parameters of the largest dense model that fits and is as quick as the question wants
/// room   those of the largest that fits at any pace
/// lean   what that size rests on, and these too; null: the usual stack
Neighbours neighbours_of(const Reading& asked, double size, double room, const LeanWay* lean,
                         const Cluster& cluster, const AnswerTools& tools);

/// " Shared with 64 GB of the host: ...": the largest dense model and the largest of experts that
/// decode with a part of their weights there, where the question tells of that memory.
std::string shared_with_host(const Reading& asked, const Cluster& cluster,
                             const AnswerTools& tools);

}  // namespace ridgeline
