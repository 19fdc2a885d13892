#include "cli/output_file.h"

#include "data/whole_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace ridgeline::cli {
namespace {

/// Where a text is kept whose file cannot be written, so that no long measurement is lost; empty
/// when it cannot be kept either.
std::string kept_elsewhere(const std::filesystem::path& target, const std::string& text) {
    std::error_code problem;
    const auto folder = std::filesystem::temp_directory_path(problem);
    const auto spare =
        folder / fmt::format("ridgeline-{}-{}", ::getpid(), target.filename().string());
    return !problem && write_whole_file(spare, text) ? spare.string() : std::string();
}

}  // namespace

Result<void> write_file(const ask::OutputFile& file) {
    const std::filesystem::path target(file.path);
    std::error_code problem;
    if (file.measured && target.has_parent_path()) {
        std::filesystem::create_directories(target.parent_path(), problem);
    }
    auto written = write_whole_file(target, file.text);
    if (written) {
        return written;
    }
    Error error = std::move(written.error());
    error.where = fmt::format("{} {}", file.option, file.path);
    const std::string spare = file.measured ? kept_elsewhere(target, file.text) : std::string();
    if (!spare.empty()) {
        error.hint = fmt::format("The text is kept in {}. {}", spare, error.hint);
    }
    return tl::unexpected(std::move(error));
}

}  // namespace ridgeline::cli
