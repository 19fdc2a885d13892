#include "advise/reading/kernels/kernel_sizes.h"

#include "base/text.h"

#include <cctype>
#include <cmath>
#include <string>

namespace ridgeline::reading {

bool part_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

std::optional<NumberInText> number_in_text(std::string_view text, std::size_t at, bool length) {
    std::size_t end = at;
    while (end < text.size() && (std::isdigit(static_cast<unsigned char>(text[end])) != 0 ||
                                 (text[end] == '.' && end + 1 < text.size() &&
                                  std::isdigit(static_cast<unsigned char>(text[end + 1])) != 0))) {
        ++end;
    }
    if (end == at) {
        return std::nullopt;
    }
    const bool scaled =
        end < text.size() && (text[end] == 'k' || text[end] == 'm' || text[end] == 'b') &&
        (end + 1 == text.size() || !part_of_word(text[end + 1]) || text[end + 1] == 'x');
    end += scaled ? 1 : 0;
    const std::string digits(text.substr(at, end - at));
    const auto value = length ? length_with_suffix(digits) : number_with_suffix(digits);
    return value ? std::optional(NumberInText{*value, end}) : std::nullopt;
}

std::size_t skip_blanks(std::string_view text, std::size_t at) {
    while (at < text.size() && text[at] == ' ') {
        ++at;
    }
    return at;
}

std::optional<SidesInText> sides_in_text(std::string_view text, std::size_t at) {
    const auto first = number_in_text(text, at, true);
    if (!first || first->end >= text.size()) {
        return std::nullopt;
    }
    if (text[first->end] == '^') {
        const auto power = number_in_text(text, first->end + 1, false);
        if (power && power->value >= 1 && power->value <= 3) {
            const auto count = static_cast<std::size_t>(power->value);
            return SidesInText{std::vector<double>(count, first->value), power->end};
        }
        // "2^24 points"
        constexpr double largest_power = 40;
        const bool points =
            power && first->value == 2 && power->value > 3 && power->value <= largest_power;
        return points ? std::optional(SidesInText{{std::exp2(power->value)}, power->end})
                      : std::nullopt;
    }
    constexpr double least_side = 16;
    std::vector<double> sides{first->value};
    std::size_t end = first->end;
    while (sides.size() < 3) {
        std::size_t next = skip_blanks(text, end);
        const bool by = text.substr(next, 3) == "by ";
        if (next >= text.size() || (!by && text[next] != 'x' && text[next] != '*')) {
            break;
        }
        next = skip_blanks(text, next + (by ? 2 : 1));
        const auto other = number_in_text(text, next, true);
        const bool word = other && other->end < text.size() && part_of_word(text[other->end]) &&
                          text[other->end] != 'x';
        if (!other || word || other->value < least_side) {
            break;
        }
        sides.push_back(other->value);
        end = other->end;
    }
    return sides.size() > 1 && sides.front() >= least_side ? std::optional(SidesInText{sides, end})
                                                           : std::nullopt;
}

}  // namespace ridgeline::reading
