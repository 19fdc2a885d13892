#include "data/file_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <system_error>

namespace ridgeline {
namespace {

namespace fs = std::filesystem;

std::string day_text(std::chrono::sys_days when) {
    const std::chrono::year_month_day day{when};
    return fmt::format("{:04}-{:02}-{:02}",
                       static_cast<int>(day.year()),
                       static_cast<unsigned>(day.month()),
                       static_cast<unsigned>(day.day()));
}

class Disk : public FileTree {
public:
    [[nodiscard]] Result<std::string> read(const fs::path& file,
                                           std::size_t most_bytes) const override;

    [[nodiscard]] Result<std::string> read_at(const fs::path& file,
                                              std::uint64_t place,
                                              std::size_t count) const override;
    [[nodiscard]] Result<std::uint64_t> size_of(const fs::path& file) const override;

    [[nodiscard]] std::vector<fs::path> files(const fs::path& folder) const override {
        std::vector<fs::path> found;
        std::error_code problem;
        for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end;
             entry.increment(problem)) {
            found.push_back(entry->path());
        }
        // Names of one folder: as text they are in the order of paths.
        std::sort(found.begin(), found.end(), [](const fs::path& a, const fs::path& b) {
            return a.native() < b.native();
        });
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
        return day_text(
            std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now() + since));
    }
};

Result<std::string> Disk::read(const fs::path& file, std::size_t most_bytes) const {
    const std::string where = file.string();
    std::error_code problem;
    const fs::file_status status = fs::status(file, problem);
    if (!fs::exists(status)) {
        return input_error(where, "no such file");
    }
    if (fs::is_directory(status)) {
        return input_error(where, "found a folder, expected a file");
    }
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.c_str(), "rb"),
                                                                 &std::fclose);
    if (!stream) {
        return input_error(where, "cannot be opened for reading", "Check its permissions.");
    }
    // Read in pieces: a pipe or a device has no size to ask for.
    std::string text;
    std::size_t filled = 0;
    do {
        text.resize(filled + std::max(filled, std::size_t{6144}));
        filled += std::fread(text.data() + filled, 1, text.size() - filled, stream.get());
        if (filled > most_bytes) {
            return input_error(where, fmt::format("larger than {} MiB", most_bytes >> 20));
        }
    } while (filled == text.size());
    if (std::ferror(stream.get()) != 0) {
        return input_error(where, "cannot be read to its end");
    }
    text.resize(filled);
    return text;
}

Result<std::string> Disk::read_at(const fs::path& file,
                                  std::uint64_t place,
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
