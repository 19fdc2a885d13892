#pragma once

#include "base/result.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace ridgeline {

/// Where files come from: folders of this machine, or one bundle in memory. Readers ask a tree and
/// never the file system, so that the same catalog is read from both.
class FileTree {
public:
    virtual ~FileTree() = default;

    /// Whole text of a file. Errors: missing, a folder, unreadable, or larger than `most_bytes`.
    [[nodiscard]] virtual Result<std::string> read(const std::filesystem::path& file,
                                                   std::size_t most_bytes) const = 0;
    /// `count` bytes of a file from `place` on, less at its end.
    [[nodiscard]] virtual Result<std::string> read_at(const std::filesystem::path& file,
                                                      std::uint64_t place, std::size_t count) const;
    /// Bytes of a file. Errors: missing or a folder.
    [[nodiscard]] virtual Result<std::uint64_t> size_of(const std::filesystem::path& file) const;
    /// Names in a folder, sorted; none when it is absent.
    [[nodiscard]] virtual std::vector<std::string> names(
        const std::filesystem::path& folder) const = 0;
    [[nodiscard]] virtual bool is_file(const std::filesystem::path& path) const = 0;
    [[nodiscard]] virtual bool is_folder(const std::filesystem::path& path) const = 0;
    /// Day of the last change, YYYY-MM-DD; empty when it is unknown.
    [[nodiscard]] virtual std::string day_of(const std::filesystem::path& file) const = 0;
};

/// The folders of this machine; relative paths start at the current folder.
std::shared_ptr<const FileTree> disk();

/// Texts by path ("catalog/links.json"), as one bundle unpacks.
std::shared_ptr<const FileTree> bundle_of(std::map<std::string, std::string> texts);

/// A file or folder in a tree. The path itself is only put together and taken apart here; what lies
/// there is asked of the tree. A plain path means the disk.
class TreePath {
public:
    TreePath() : tree_(disk()) {}
    template <typename Path,
              typename = std::enable_if_t<std::is_convertible_v<Path, std::filesystem::path> &&
                                          !std::is_same_v<std::decay_t<Path>, TreePath>>>
    TreePath(const Path& path)
        : path_(path), tree_(disk()) {}  // NOLINT(google-explicit-constructor)
    TreePath(std::filesystem::path path, std::shared_ptr<const FileTree> tree)
        : path_(std::move(path)), tree_(std::move(tree)) {}

    friend TreePath operator/(const TreePath& folder, const std::filesystem::path& name) {
        return {folder.path_ / name, folder.tree_};
    }
    [[nodiscard]] TreePath parent_path() const { return {path_.parent_path(), tree_}; }
    [[nodiscard]] std::string string() const { return path_.string(); }
    [[nodiscard]] std::string filename() const { return path_.filename().string(); }
    [[nodiscard]] std::string stem() const { return path_.stem().string(); }
    /// Name of the folder that a file lies in.
    [[nodiscard]] std::string folder_name() const;
    [[nodiscard]] bool empty() const { return path_.empty(); }

    [[nodiscard]] Result<std::string> read(std::size_t most_bytes = std::size_t{256} << 20) const {
        return tree_->read(path_, most_bytes);
    }
    [[nodiscard]] Result<std::string> read_at(std::uint64_t place, std::size_t count) const {
        return tree_->read_at(path_, place, count);
    }
    [[nodiscard]] Result<std::uint64_t> size() const { return tree_->size_of(path_); }
    [[nodiscard]] bool is_file() const { return tree_->is_file(path_); }
    [[nodiscard]] bool is_folder() const { return tree_->is_folder(path_); }
    [[nodiscard]] std::string day() const { return tree_->day_of(path_); }
    /// The *.json files of this folder, sorted by name; none when it is absent.
    [[nodiscard]] std::vector<TreePath> json_files() const;
    /// Their names alone.
    [[nodiscard]] std::vector<std::string> json_names() const;

private:
    std::filesystem::path path_;
    std::shared_ptr<const FileTree> tree_;
};

}  // namespace ridgeline
