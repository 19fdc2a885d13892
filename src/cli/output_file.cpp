#include "cli/output_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace ridgeline::cli {

Result<void> write_file(const ask::OutputFile& file) {
    const std::filesystem::path target(file.path);
    std::error_code problem;
    if (file.makes_folders && target.has_parent_path()) {
        std::filesystem::create_directories(target.parent_path(), problem);
    }
    errno = 0;
    std::ofstream stream(target, std::ios::binary | std::ios::trunc);
    stream.write(file.text.data(), static_cast<std::streamsize>(file.text.size()));
    stream.close();
    if (!stream) {
        return tl::unexpected(
            Error{ErrorKind::internal,
                  fmt::format("{} {}", file.option, file.path),
                  fmt::format("cannot be written ({})",
                              errno != 0 ? std::strerror(errno) : "unknown reason"),
                  "Name a file in a folder that exists and that you may write to."});
    }
    return {};
}

}  // namespace ridgeline::cli
