#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ridgeline {

/// Length in bytes of the UTF-8 sequence that begins the text; 0 when none does: overlong forms,
/// halves of pairs and what lies beyond U+10FFFF are none.
std::size_t utf8_length(std::string_view text);

/// Index of the first byte that belongs to no UTF-8 sequence; the text's size when all do.
std::size_t first_no_utf8(std::string_view text);
/// "line 3 holds a byte that is no UTF-8 (0xa0)", of a text with such a byte.
std::string no_utf8(std::string_view text);
/// The text with U+FFFD in place of each byte that is no UTF-8.
std::string as_utf8(std::string_view text);
/// A text as JSON has it, in quotes; U+FFFD stands for what is no UTF-8.
std::string json_string(std::string_view text);

}  // namespace ridgeline
