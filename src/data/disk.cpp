#include "base/date.h"
#include "data/file_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <dirent.h>
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace ridgeline {
namespace {

namespace fs = std::filesystem;

/// A file that is open for reading as long as this lives.
class File {
public:
    explicit File(const fs::path& file) : descriptor_(::open(file.c_str(), O_RDONLY | O_CLOEXEC)) {}
    ~File() {
        if (descriptor_ >= 0) {
            (void)::close(descriptor_);
        }
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    explicit operator bool() const { return descriptor_ >= 0; }
    [[nodiscard]] int descriptor() const { return descriptor_; }

private:
    int descriptor_;
};

class Disk : public FileTree {
public:
    [[nodiscard]] Result<std::string> read(const fs::path& file,
                                           std::size_t most_bytes) const override;

    [[nodiscard]] Result<std::string> read_at(const fs::path& file, std::uint64_t place,
                                              std::size_t count) const override;
    [[nodiscard]] Result<std::uint64_t> size_of(const fs::path& file) const override;

    [[nodiscard]] std::vector<std::string> names(const fs::path& folder) const override {
        std::vector<std::string> found;
        const std::unique_ptr<DIR, int (*)(DIR*)> stream(::opendir(folder.c_str()), &::closedir);
        while (const dirent* entry = stream ? ::readdir(stream.get()) : nullptr) {
            const std::string_view name = entry->d_name;
            if (name != "." && name != "..") {
                found.emplace_back(name);
            }
        }
        std::sort(found.begin(), found.end());
        return found;
    }

    [[nodiscard]] bool is_file(const fs::path& path) const override {
        std::error_code problem;
        return fs::is_regular_file(path, problem);
    }

    [[nodiscard]] bool is_folder(const fs::path& path) const override {
        std::error_code problem;
        return fs::is_directory(path, problem);
    }

    [[nodiscard]] std::string day_of(const fs::path& file) const override {
        std::error_code problem;
        const auto written = fs::last_write_time(file, problem);
        if (problem) {
            return {};
        }
        const auto since = std::chrono::duration_cast<std::chrono::seconds>(
            written.time_since_epoch() - fs::file_time_type::clock::now().time_since_epoch());
        return date_text(
            std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now() + since));
    }
};

Result<std::string> Disk::read(const fs::path& file, std::size_t most_bytes) const {
    const File opened(file);
    struct stat status {};
    if (!opened && (errno == ENOENT || errno == ENOTDIR)) {
        return input_error(file.string(), "no such file");
    }
    if (!opened || ::fstat(opened.descriptor(), &status) != 0) {
        return input_error(file.string(), "cannot be opened for reading", "Check its permissions.");
    }
    if (S_ISDIR(status.st_mode)) {
        return input_error(file.string(), "found a folder, expected a file");
    }
    // Of a plain file the first piece is all, with one byte more to see its end. A pipe or a device
    // has no size to ask for.
    const auto stated = static_cast<std::size_t>(std::max<off_t>(status.st_size, 0));
    if (S_ISREG(status.st_mode) && stated > most_bytes) {
        return input_error(file.string(), fmt::format("larger than {} MiB", most_bytes >> 20));
    }
    std::string text;
    std::size_t filled = 0;
    do {
        const std::size_t piece = std::max({filled, stated + 1, std::size_t{1024}});
        text.resize(filled + std::min(piece, most_bytes + 1));
        const ssize_t got = ::read(opened.descriptor(), text.data() + filled, text.size() - filled);
        if (got < 0) {
            return input_error(file.string(), "cannot be read to its end");
        }
        if (got == 0) {
            break;
        }
        filled += static_cast<std::size_t>(got);
        if (filled > most_bytes) {
            return input_error(file.string(), fmt::format("larger than {} MiB", most_bytes >> 20));
        }
    } while (filled < stated || !S_ISREG(status.st_mode) || filled == text.size());
    text.resize(filled);
    return text;
}

Result<std::string> Disk::read_at(const fs::path& file, std::uint64_t place,
                                  std::size_t count) const {
    std::ifstream stream(file, std::ios::binary);
    std::string text(count, '\0');
    stream.seekg(static_cast<std::streamoff>(place));
    stream.read(text.data(), static_cast<std::streamsize>(count));
    if (!stream && !stream.eof()) {
        return input_error(file.string(), "cannot be read");
    }
    text.resize(static_cast<std::size_t>(std::max<std::streamsize>(stream.gcount(), 0)));
    return text;
}

Result<std::uint64_t> Disk::size_of(const fs::path& file) const {
    std::error_code problem;
    if (!fs::is_regular_file(file, problem)) {
        return input_error(file.string(),
                           fs::exists(file, problem) ? "found no plain file" : "no such file");
    }
    const std::uintmax_t size = fs::file_size(file, problem);
    return problem ? Result<std::uint64_t>(input_error(file.string(), "cannot be read"))
                   : Result<std::uint64_t>(size);
}

}  // namespace

std::shared_ptr<const FileTree> disk() {
    static const std::shared_ptr<const FileTree> tree = std::make_shared<Disk>();
    return tree;
}

std::string TreePath::folder_name() const {
    return fs::absolute(path_).parent_path().filename().string();
}

}  // namespace ridgeline
