#pragma once

#include "base/result.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

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

}  // namespace ridgeline
