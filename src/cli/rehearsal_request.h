#pragma once

#include "ask/request.h"
#include "ask/world.h"

#include <optional>
#include <string>
#include <vector>

namespace ridgeline::cli {

/// What the flags say, read and checked.
struct RehearsalRequest {
    std::vector<std::string> command;
    std::string max_name, max_flag;    ///< empty: nothing is searched for
    std::vector<std::string> changes;  ///< of --try: "--batch 4"
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

/// The command with a flag's value: replaced where the flag is there, appended otherwise. A flag
/// without a value (empty) is appended where it is not there.
std::vector<std::string> with_flag(std::vector<std::string> command, const std::string& flag,
                                   const std::string& value);

/// The command with a change as --try has it: "--batch 4", "--batch=4", "--checkpointing".
std::vector<std::string> with_change(const std::vector<std::string>& command,
                                     const std::string& change);

/// A flag of the script that says how many samples a card has at once, as scripts usually name it.
struct BatchFlag {
    std::string flag;  ///< "--per_device_train_batch_size"
    long value = 0;
};
/// The first such flag of a command with a value above 1, or none.
std::optional<BatchFlag> batch_flag_of(const std::vector<std::string>& command);

}  // namespace ridgeline::cli
