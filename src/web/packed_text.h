#pragma once

#include <string>
#include <string_view>

namespace ridgeline::web {

/// Bytes as text of a page of windows-1252, where each byte is a letter; base64 would take a third
/// more. The four that a script element may not hold, or that mean something here (0, carriage return,
/// '<', '='), go, 64 higher, after a '='. page/core.js unpacks it.
std::string packed_text(std::string_view bytes);

/// How a text of UTF-8 is written in a page of another character set.
enum class Letters { html, script };
std::string in_ascii(std::string_view text, Letters letters);

}  // namespace ridgeline::web
