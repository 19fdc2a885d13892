#pragma once

#include <string>
#include <string_view>

namespace ridgeline::web {

/// Bytes as text of a UTF-8 page, 8 characters for 7 bytes where base64 needs 9.3: each character
/// holds seven bits. The four that a script element may not hold as they are (0, both line ends,
/// '<') go, by their place in that list, into one character of two bytes with the seven bits that
/// follow: 0xa0 + 128 x place + bits. page/core.js unpacks it.
std::string packed_text(std::string_view bytes);

}  // namespace ridgeline::web
