#include "fuzz/mutate.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace ridgeline::fuzz {
namespace {

/// What readers stumble over: limits of number types, what is no number, marks of the formats.
constexpr std::array<std::string_view, 46> stumbling_blocks = {
    "0",
    "-1",
    "1e308",
    "-1e308",
    "1e-320",
    "1e999",
    "NaN",
    "Infinity",
    "inf",
    "-0",
    "1_000",
    "0x1p4",
    "１２",
    "40k of them",
    "null",
    "true",
    "\"\"",
    "[]",
    "{}",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551616",
    "2147483648",
    "0.1234567890123456789012345678901234567890",
    "12,5",
    "\xff\xfe",
    "\xc3\x28",
    "\xed\xa0\x80",
    "\n",
    "\r\n",
    "\t",
    "'",
    "\"",
    "\\",
    "${X}",
    "$(x)",
    "<<EOF\n",
    "*a",
    "&a ",
    "!!binary ",
    "%00",
    "%",
    "../../etc/passwd",
    "http://x/",
    "8k",
    "x8"};

std::size_t below(std::mt19937_64& dice, std::size_t end) {
    return end == 0 ? 0 : static_cast<std::size_t>(dice() % end);
}

std::string_view some_block(std::mt19937_64& dice) {
    return stumbling_blocks[below(dice, stumbling_blocks.size())];
}

/// Start and length of a run of digits at or after a random place; length 0 where there is none.
std::pair<std::size_t, std::size_t> number_near(const std::string& text, std::mt19937_64& dice) {
    const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
    const auto from = text.begin() + static_cast<std::ptrdiff_t>(below(dice, text.size()));
    const auto first = std::find_if(from, text.end(), digit);
    const auto last = std::find_if_not(first, text.end(), digit);
    return {static_cast<std::size_t>(first - text.begin()), static_cast<std::size_t>(last - first)};
}

void mutate_once(std::string& text, std::span<const std::string> others, std::mt19937_64& dice) {
    const std::size_t at = below(dice, text.size() + 1);
    const std::size_t length = std::min(text.size() - at, 1 + below(dice, 24));
    switch (below(dice, 9)) {
        case 0:
            if (at < text.size()) {
                text[at] = static_cast<char>(text[at] ^ (1 << below(dice, 8)));
            }
            break;
        case 1:
            text.erase(at, length);
            break;
        case 2:
            text.insert(at, text.substr(at, length));
            break;
        case 3:
            text.insert(at, some_block(dice));
            break;
        case 4:
            text.replace(at, length, some_block(dice));
            break;
        case 5: {
            const auto [first, size] = number_near(text, dice);
            text.replace(first, size, some_block(dice));
            break;
        }
        case 6:
            text.resize(at);
            break;
        case 7: {
            const std::string& other = others[below(dice, others.size())];
            const std::size_t from = below(dice, other.size());
            text.insert(at, other.substr(from, below(dice, 200)));
            break;
        }
        default:
            text.insert(at, std::string(1 + below(dice, 400), "[{(a, \""[below(dice, 7)]));
            break;
    }
}

}  // namespace

std::string mutated(const std::string& seed, std::span<const std::string> others,
                    std::mt19937_64& dice) {
    std::string text = seed;
    for (std::size_t left = 1 + below(dice, 8); left > 0; --left) {
        mutate_once(text, others, dice);
    }
    return text;
}

}  // namespace ridgeline::fuzz
