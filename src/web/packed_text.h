#pragma once

#include <string>
#include <string_view>

namespace ridgeline::web {

/// Bytes as text of a page of windows-1252, where each byte is a letter; base64 would take a third
/// more. Runs of up to 1,020 bytes, each behind a key, which is added to its bytes so that none is
/// one that a script element may not hold (0, carriage return, '<'), and its length in fours: two
/// bytes in some 470. page/start.js unpacks it.
std::string packed_text(std::string_view bytes);

/// How a text of UTF-8 is written in a page of another character set.
enum class Letters { html, script };
std::string in_ascii(std::string_view text, Letters letters);

}  // namespace ridgeline::web
