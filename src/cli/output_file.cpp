#include "cli/output_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>

namespace ridgeline::cli {

Result<void> write_file(std::string_view flag, const std::string& path, std::string_view text) {
    errno = 0;
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    file.close();
    if (!file) {
        return tl::unexpected(
            Error{ErrorKind::internal,
                  fmt::format("{} {}", flag, path),
                  fmt::format("cannot be written ({})",
                              errno != 0 ? std::strerror(errno) : "unknown reason"),
                  "Name a file in a folder that exists and that you may write to."});
    }
    return {};
}

}  // namespace ridgeline::cli
