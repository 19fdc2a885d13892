#pragma once

#include "ask/request.h"
#include "ask/world.h"

#include <string>
#include <vector>

namespace ridgeline::cli {

/// What the flags say, read and checked.
struct RehearsalRequest {
    std::vector<std::string> command;
    std::string max_name, max_flag;  ///< empty: nothing is searched for
    std::string scratch, snapshot, trace;
    int steps = 2;
    double limit_s = 0;
    double skew = 0;
    bool quiet = false;
};

/// errors  usage: a number out of range, a word that is none of those known
Result<RehearsalRequest> request_of(const ask::Request& given);

/// Cards of --on; only NVIDIA's have the compute capability that torch asks for, and a script is
/// rehearsed on one node.
Result<std::vector<Cluster>> cards_of(const ask::Request& request, const Catalog& catalog);

/// The command with a flag's value: replaced where the flag is there, appended otherwise.
std::vector<std::string> with_flag(std::vector<std::string> command,
                                   const std::string& flag,
                                   long value);

}  // namespace ridgeline::cli
