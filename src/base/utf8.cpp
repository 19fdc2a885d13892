#include "base/utf8.h"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline {
namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd";

}

std::size_t utf8_length(std::string_view text) {
    const auto byte_at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte_at(0);
    const std::size_t length = first < 0x80                    ? 1
                               : first >= 0xc2 && first < 0xe0 ? 2
                               : (first & 0xf0) == 0xe0        ? 3
                               : first >= 0xf0 && first < 0xf5 ? 4
                                                               : 0;
    if (length == 0 || length > text.size()) {
        return 0;
    }
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte_at(i) & 0xc0) != 0x80) {
            return 0;
        }
    }
    const unsigned char second = length > 1 ? byte_at(1) : 0;
    const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
    const bool outside = (first == 0xed && second > 0x9f) || (first == 0xf4 && second > 0x8f);
    return overlong || outside ? 0 : length;
}

std::size_t first_no_utf8(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t length = utf8_length(text.substr(at));
        if (length == 0) {
            return at;
        }
        at += length;
    }
    return at;
}

std::string no_utf8(std::string_view text) {
    const std::size_t at = first_no_utf8(text);
    const std::string_view before = text.substr(0, at);
    return fmt::format("line {} holds a byte that is no UTF-8 (0x{:02x})",
                       1 + std::count(before.begin(), before.end(), '\n'),
                       at < text.size() ? static_cast<unsigned char>(text[at]) : 0);
}

std::string as_utf8(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t good = first_no_utf8(text);
        out += text.substr(0, good);
        out += good < text.size() ? replacement : "";
        text.remove_prefix(std::min(good + 1, text.size()));
    }
    return out;
}

std::string json_string(std::string_view text) {
    std::string out = "\"";
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        const char c = text.front();
        if (length == 0) {
            out += replacement;
        } else if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (c == '\n') {
            out += "\\n";
        } else if (static_cast<unsigned char>(c) < 0x20) {
            out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
            out += text.substr(0, length);
        }
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return out + '"';
}

}  // namespace ridgeline
