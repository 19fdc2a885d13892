#pragma once

#include <tl/expected.hpp>

#include <string>

namespace ridgeline {

/// What kind of failure an Error is; decides the exit code (see contract in README, "Exit codes").
enum class ErrorKind {
    internal,       ///< our bug or an I/O failure: exit 1
    usage,          ///< the command line is wrong: exit 2
    input,          ///< a file or a document is wrong: exit 4
    device_absent,  ///< a probe needs a device that is not here: exit 5
};

/// A failure that a person can act on: where it is, what was found and expected, what to do.
struct Error {
    ErrorKind kind = ErrorKind::input;
    std::string where;    ///< file and field, or flag: "catalog/x.json: /memory/bandwidth_gb_per_s"
    std::string message;  ///< what was found and what was expected, lower case, no full stop
    std::string hint;     ///< what to do, a sentence, may be empty

    /// One line: "where: message. hint"
    [[nodiscard]] std::string text() const {
        std::string line = where.empty() ? message : where + ": " + message;
        if (!hint.empty()) {
            line += ". " + hint;
        }
        return line;
    }
    friend bool operator==(const Error&, const Error&) = default;
};

template <typename T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> input_error(std::string where, std::string message,
                                         std::string hint = {}) {
    return tl::unexpected(
        Error{ErrorKind::input, std::move(where), std::move(message), std::move(hint)});
}
inline tl::unexpected<Error> usage_error(std::string where, std::string message,
                                         std::string hint = {}) {
    return tl::unexpected(
        Error{ErrorKind::usage, std::move(where), std::move(message), std::move(hint)});
}

}  // namespace ridgeline
