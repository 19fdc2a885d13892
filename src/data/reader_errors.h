#pragma once

#include "base/result.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace ridgeline {

/// The errors of one document, in the order found.
class Errors {
public:
    explicit Errors(std::string document) : document_(std::move(document)) {}

    void add(const std::string& path, std::string message, std::string hint = {}) {
        list_.push_back(Error{ErrorKind::input,
                              document_.empty() ? path : document_ + ": " + path,
                              std::move(message),
                              std::move(hint)});
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

private:
    std::string document_;
    std::vector<Error> list_;
    std::unique_ptr<Errors> silent_;
};

/// "a number of GB/s" for bandwidth_gb_per_s: the unit that the key's last words name.
std::string number_wanted(std::string_view key, bool whole);

/// "Write 3350" for "3.35 TB/s" where GB/s are due; empty when the text names no such unit.
std::string converted(std::string_view text, std::string_view key);

/// What was found, for an error: the value itself when it is short, and its type.
std::string found_in(const nlohmann::json& value);

}  // namespace ridgeline
