#include "data/file_tree.h"

#include <fmt/format.h>

#include <utility>

namespace ridgeline {
namespace {

namespace fs = std::filesystem;

class Bundle : public FileTree {
public:
    explicit Bundle(std::map<std::string, std::string> texts) : texts_(std::move(texts)) {}

    [[nodiscard]] Result<std::string> read(const fs::path& file,
                                           std::size_t most_bytes) const override {
        const auto found = texts_.find(key_of(file));
        if (found == texts_.end()) {
            return input_error(file.string(), "no such file");
        }
        if (found->second.size() > most_bytes) {
            return input_error(file.string(), fmt::format("larger than {} MiB", most_bytes >> 20));
        }
        return found->second;
    }

    [[nodiscard]] std::vector<std::string> names(const fs::path& folder) const override {
        const std::string prefix = key_of(folder) + "/";
        std::vector<std::string> found;
        for (auto at = texts_.lower_bound(prefix);
             at != texts_.end() && at->first.starts_with(prefix); ++at) {
            if (at->first.find('/', prefix.size()) == std::string::npos) {
                found.push_back(at->first.substr(prefix.size()));
            }
        }
        return found;
    }

    [[nodiscard]] bool is_file(const fs::path& path) const override {
        return texts_.count(key_of(path)) > 0;
    }

    [[nodiscard]] bool is_folder(const fs::path& path) const override {
        const std::string prefix = key_of(path) + "/";
        const auto at = texts_.lower_bound(prefix);
        return at != texts_.end() && at->first.starts_with(prefix);
    }

    [[nodiscard]] std::string day_of(const fs::path&) const override { return {}; }

private:
    /// The path as the bundle names it: "a" for "a/b/..", without a slash at its end.
    static std::string key_of(const fs::path& path) {
        std::string key = path.lexically_normal().string();
        if (key.ends_with('/')) {
            key.pop_back();
        }
        return key;
    }

    std::map<std::string, std::string> texts_;
};

}  // namespace

constexpr std::size_t most_whole = std::size_t{256} << 20;

Result<std::string> FileTree::read_at(const fs::path& file, std::uint64_t place,
                                      std::size_t count) const {
    auto text = read(file, most_whole);
    if (!text) {
        return text;
    }
    return place < text->size() ? text->substr(static_cast<std::size_t>(place), count)
                                : std::string();
}

Result<std::uint64_t> FileTree::size_of(const fs::path& file) const {
    const auto text = read(file, most_whole);
    return text ? Result<std::uint64_t>(text->size()) : tl::unexpected(text.error());
}

std::shared_ptr<const FileTree> bundle_of(std::map<std::string, std::string> texts) {
    return std::make_shared<Bundle>(std::move(texts));
}

std::vector<std::string> TreePath::json_names() const {
    constexpr std::string_view ending = ".json";
    std::vector<std::string> names = tree_->names(path_);
    std::erase_if(names, [&](const std::string& name) {
        return name.size() <= ending.size() || !name.ends_with(ending);
    });
    return names;
}

std::vector<TreePath> TreePath::json_files() const {
    std::vector<TreePath> found;
    for (const std::string& name : json_names()) {
        found.push_back(*this / name);
    }
    return found;
}

}  // namespace ridgeline
