#pragma once

#include "ask/request.h"
#include "base/result.h"

namespace ridgeline::cli {

/// Writes a file of an answer. errors  what the system says, with the option that named the file
Result<void> write_file(const ask::OutputFile& file);

}  // namespace ridgeline::cli
