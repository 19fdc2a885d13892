#pragma once

#include "advise/answers/answer.h"
#include "advise/reading/reading.h"

#include <optional>
#include <string>
#include <vector>

namespace ridgeline {

/// One of the values that are compared on one cluster.
struct Variant {
    std::string value;
    std::optional<Placement> placed;
    double rate = 0;  ///< tokens or samples a second
    double gib = 0;   ///< on each accelerator
    bool from_host = false;  ///< its weights wait in the host's memory
};

/// Whether a copy on each card is weighed against one that is spread over them.
bool weighs_copies(const Reading& reading);

/// Whether methods of training are compared by their memory, and nobody said a batch: their speeds
/// are those of the best plan of each, as a run of each would have it.
bool alike_in_steps(const Reading& reading);

/// The values on the first of the clusters where most of them fit.
///
/// named   hardware was: more of it may be tried where no number was said
/// stored  the type of weights that they are all given
std::vector<Variant> most_fitting(const Reading& reading, const std::vector<Cluster>& clusters,
                                  bool named, const AnswerTools& tools, std::string& stored,
                                  std::optional<Error>& problem);

}  // namespace ridgeline
