#include "web/packed_text.h"

#include <fmt/format.h>

#include <iterator>

namespace ridgeline::web {
namespace {

constexpr std::string_view refused("\0\r<=", 4);
constexpr char mark = '=';
constexpr unsigned higher = 64;

/// The character that begins at `at`, which moves behind it.
unsigned code_at(std::string_view text, std::size_t& at) {
    const auto first = static_cast<unsigned char>(text[at++]);
    unsigned code = first < 0xc0 ? first : first < 0xe0 ? first & 0x1fU : first < 0xf0 ? first & 0x0fU : first & 7U;
    while (first >= 0xc0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80U) {
        code = code << 6U | (static_cast<unsigned char>(text[at++]) & 0x3fU);
    }
    return code;
}

}  // namespace

std::string packed_text(std::string_view bytes) {
    std::string out;
    out.reserve(bytes.size() + bytes.size() / 32);
    for (const char byte : bytes) {
        if (refused.find(byte) == std::string_view::npos) {
            out += byte;
        } else {
            out += mark;
            out += static_cast<char>(static_cast<unsigned char>(byte) + higher);
        }
    }
    return out;
}

std::string in_ascii(std::string_view text, Letters letters) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const unsigned code = code_at(text, at);
        if (code < 0x80) {
            out += static_cast<char>(code);
        } else {
            fmt::format_to(std::back_inserter(out), fmt::runtime(letters == Letters::html ? "&#{};" : "\\u{{{:x}}}"), code);
        }
    }
    return out;
}

}  // namespace ridgeline::web
