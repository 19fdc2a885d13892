#pragma once

#include <cctype>
#include <cstddef>
#include <string_view>

namespace ridgeline {

inline bool is_name_character(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Length of the name at the start of a word that assigns ("NAME=", "NAME+="); 0 when it does not.
inline std::size_t assigned_name(std::string_view word) {
    std::size_t length = 0;
    while (length < word.size() && is_name_character(word[length])) {
        ++length;
    }
    const bool assigns = length > 0 && std::isdigit(static_cast<unsigned char>(word[0])) == 0 &&
                         (word.substr(length, 1) == "=" || word.substr(length, 2) == "+=");
    return assigns ? length : 0;
}

/// Where the brace that "${" at `at` opens is closed, past those inside it; the end where none is.
inline std::size_t closing_brace(std::string_view text, std::size_t at) {
    int depth = 0;
    for (; at < text.size() && text[at] != '\n'; ++at) {
        depth += text[at] == '{' ? 1 : text[at] == '}' ? -1 : 0;
        if (text[at] == '}' && depth == 0) {
            return at;
        }
    }
    return at;
}

}  // namespace ridgeline
