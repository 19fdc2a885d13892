#include "web/packed_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace ridgeline::web {
namespace {

/// What the text of a script element may not hold: the HTML parser replaces the first two, and the
/// third may open a tag.
constexpr std::string_view refused("\0\r<", 3);
/// The length of a run is written in so many bytes: one letter tells up to 1,020.
constexpr std::size_t unit = 4;
constexpr std::size_t longest = 255 * unit;

bool is_refused(unsigned letter) {
    return refused.find(static_cast<char>(letter)) != std::string_view::npos;
}

/// Bytes from the start on of which none is refused where `key` is added to each.
std::size_t run_with(std::string_view bytes, unsigned key) {
    std::size_t length = 0;
    while (length < bytes.size() && length < longest &&
           !is_refused((static_cast<unsigned char>(bytes[length]) + key) & 0xffU)) {
        ++length;
    }
    return length;
}

/// The character that begins at `at`, which moves behind it.
unsigned code_at(std::string_view text, std::size_t& at) {
    const auto first = static_cast<unsigned char>(text[at++]);
    unsigned code = first < 0xc0   ? first
                    : first < 0xe0 ? first & 0x1fU
                    : first < 0xf0 ? first & 0x0fU
                                   : first & 7U;
    while (first >= 0xc0 && at < text.size() &&
           (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80U) {
        code = code << 6U | (static_cast<unsigned char>(text[at++]) & 0x3fU);
    }
    return code;
}

}  // namespace

std::string packed_text(std::string_view bytes) {
    std::string out;
    out.reserve(bytes.size() + bytes.size() / 64);
    while (!bytes.empty()) {
        unsigned best = 1;
        std::size_t length = 0;
        for (unsigned key = 1; key < 256; ++key) {
            const std::size_t run = is_refused(key) ? 0 : run_with(bytes, key);
            best = run > length ? key : best;
            length = std::max(length, run);
        }
        std::size_t units = length == bytes.size() ? (length + unit - 1) / unit : length / unit;
        units -= is_refused(static_cast<unsigned>(units))
                     ? 1
                     : 0;  // never 0: a run of four there always is
        length = std::min(units * unit, bytes.size());
        out += static_cast<char>(best);
        out += static_cast<char>(units);
        for (const char byte : bytes.substr(0, length)) {
            out += static_cast<char>(static_cast<unsigned char>(byte) + best);
        }
        bytes.remove_prefix(length);
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
            fmt::format_to(std::back_inserter(out),
                           fmt::runtime(letters == Letters::html ? "&#{};" : "\\u{{{:x}}}"), code);
        }
    }
    return out;
}

}  // namespace ridgeline::web
