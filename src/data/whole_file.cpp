#include "data/whole_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace ridgeline {
namespace {

namespace fs = std::filesystem;

Result<void> failed(const fs::path& file, int reason) {
    return tl::unexpected(Error{ErrorKind::internal, file.string(),
                                fmt::format("cannot be written ({})", std::strerror(reason)),
                                "Name a file in a folder that exists and that you may write to."});
}

Result<void> write_in_place(const fs::path& file, std::string_view text) {
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return failed(file, errno);
    }
    const int reason = write_all(descriptor, text) ? 0 : errno;
    const int closed = ::close(descriptor) == 0 ? 0 : errno;
    return reason != 0 || closed != 0 ? failed(file, reason != 0 ? reason : closed)
                                      : Result<void>{};
}

/// The rights that a new file gets: those of the one it replaces, else what umask leaves.
mode_t rights_of(const fs::path& file) {
    struct stat old {};
    if (::stat(file.c_str(), &old) == 0) {
        return old.st_mode & 07777;
    }
    const mode_t masked = ::umask(0);
    ::umask(masked);
    return 0666 & ~masked;
}

/// The entry of the folder also has to reach the disk; some file systems cannot say so.
void settle_folder(const fs::path& folder) {
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor >= 0) {
        (void)::fsync(descriptor);
        (void)::close(descriptor);
    }
}

}  // namespace

bool write_all(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor, text.data(), text.size());
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0) {
            return false;
        }
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

Result<void> write_whole_file(const fs::path& file, std::string_view text) {
    std::error_code problem;
    const fs::file_status status = fs::status(file, problem);
    if (fs::is_directory(status)) {
        return failed(file, EISDIR);
    }
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        return write_in_place(file, text);
    }
    // A link stays a link: what it points to is replaced.
    const fs::path target = fs::exists(status) ? fs::canonical(file, problem) : file;
    if (problem && fs::exists(status)) {
        return failed(file, problem.value());
    }
    const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
    std::string beside = (folder / ("." + target.filename().string() + ".XXXXXX")).string();
    const int descriptor = ::mkostemp(beside.data(), O_CLOEXEC);
    if (descriptor < 0) {
        return failed(file, errno);
    }
    int reason = write_all(descriptor, text) && ::fchmod(descriptor, rights_of(target)) == 0 &&
                         ::fsync(descriptor) == 0
                     ? 0
                     : errno;
    if (::close(descriptor) != 0 && reason == 0) {
        reason = errno;
    }
    if (reason == 0 && ::rename(beside.c_str(), target.c_str()) != 0) {
        reason = errno;
    }
    if (reason != 0) {
        (void)::unlink(beside.c_str());
        return failed(file, reason);
    }
    settle_folder(folder);
    return {};
}

}  // namespace ridgeline
