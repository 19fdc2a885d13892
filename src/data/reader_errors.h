#pragma once

#include "base/result.h"
#include "data/json_tree.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ridgeline {

inline constexpr std::size_t most_errors_printed = 20;

/// The errors of one document, in the order found.
class Errors {
public:
    /// root  of the tree that paths are in; null: errors are of no document that is kept
    explicit Errors(std::string document, const JsonNode* root = nullptr)
        : document_(std::move(document)), root_(root) {}

    void add(const std::string& path, std::string message, std::string hint = {}) {
        list_.push_back(Error{ErrorKind::input, document_.empty() ? path : document_ + ": " + path,
                              std::move(message), std::move(hint)});
    }
    /// A list for errors that only repeat one already recorded.
    Errors* silent() {
        if (!silent_) {
            silent_ = std::make_unique<Errors>(document_);
        }
        return silent_.get();
    }
    [[nodiscard]] const std::vector<Error>& list() const { return list_; }
    [[nodiscard]] const std::string& document() const { return document_; }
    /// Path of a node of the tree: "/rows/3"; empty for the root, for one that is not in it, and
    /// once there are more errors than are printed.
    [[nodiscard]] std::string path_of(const JsonNode& node) const;

private:
    std::string document_;
    const JsonNode* root_;
    std::vector<Error> list_;
    std::unique_ptr<Errors> silent_;
};

/// "a number of GB/s" for bandwidth_gb_per_s: the unit that the key's last words name.
std::string number_wanted(std::string_view key, bool whole);

/// "Write 3350" for "3.35 TB/s" where GB/s are due; empty when the text names no such unit.
std::string converted(std::string_view text, std::string_view key);

/// What was found, for an error: the value itself when it is short, and its type.
std::string found_in(const JsonNode& value);

}  // namespace ridgeline
