#include "base/number.h"

#include <algorithm>
#include <charconv>
#ifdef __wasm__
#include <cerrno>
#include <cstdlib>
#include <string>
#endif

namespace ridgeline {
namespace {

/// Whether digits follow: what reads numbers also reads "inf" out of "info" and "nan" out of
/// "nano".
bool begins_with_digits(std::string_view text) {
    text.remove_prefix(text.starts_with('-') ? 1 : 0);
    text.remove_prefix(text.starts_with('.') ? 1 : 0);
    return !text.empty() && text.front() >= '0' && text.front() <= '9';
}

}  // namespace

std::optional<LeadingNumber> leading_number(std::string_view text) {
    if (!begins_with_digits(text)) {
        return std::nullopt;
    }
    LeadingNumber number;
#ifdef __wasm__
    // The C++ library of clang has from_chars for whole numbers alone. What only strtod would read
    // (blanks, a plus, hexadecimal, words) is cut off before.
    const std::string digits(text.substr(0, text.find_first_not_of("+-.0123456789eE")));
    char* end = nullptr;
    errno = 0;
    number.value = std::strtod(digits.c_str(), &end);
    number.length = static_cast<std::size_t>(end - digits.c_str());
    const bool read = errno == 0 && number.length > 0;
#else
    const auto [end, problem] =
        std::from_chars(text.data(), text.data() + text.size(), number.value);
    number.length = static_cast<std::size_t>(end - text.data());
    const bool read = problem == std::errc();
#endif
    return read ? std::optional(number) : std::nullopt;
}

double number_or_zero(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    const auto number = leading_number(text);
    return number ? number->value : 0;
}

}  // namespace ridgeline
