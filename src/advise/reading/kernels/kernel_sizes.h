#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace ridgeline::reading {

/// A number in the text of a question and the byte behind it.
struct NumberInText {
    double value = 0;
    std::size_t end = 0;
};

/// Sides of a matrix, grid or transform, likewise.
struct SidesInText {
    std::vector<double> sides;
    std::size_t end = 0;
};

/// Whether a byte is a letter or digit.
bool part_of_word(char c);

/// The first byte from `at` on that is no blank.
std::size_t skip_blanks(std::string_view text, std::size_t at);

/// Digits with a point and a scale letter ("16384", "1.5m", "16k"); of a length 16k is 16384.
std::optional<NumberInText> number_in_text(std::string_view text, std::size_t at, bool length);

/// "512^3" or "512x512x256" from `at` on; a product needs sides of 16 or more, so that "8 x 4090"
/// is none.
std::optional<SidesInText> sides_in_text(std::string_view text, std::size_t at);

}  // namespace ridgeline::reading
