#pragma once

#include "base/result.h"

#include <filesystem>
#include <string_view>

namespace ridgeline {

/// Writes a file whole or not at all: a new one beside it, on the disk before it takes the place of
/// the old one, whose rights it keeps. What is no regular file (a pipe, /dev/stdout) is written as
/// it stands. Processes that write the same file at a time leave the text of one of them.
///
/// errors  the file, and what the system says (internal)
Result<void> write_whole_file(const std::filesystem::path& file, std::string_view text);

/// Writes all of `text`. False when the reader is gone or the device is full; errno says which.
bool write_all(int descriptor, std::string_view text);

}  // namespace ridgeline
