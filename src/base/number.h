#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace ridgeline {

/// A decimal number and how many characters of the text it took.
struct LeadingNumber {
    double value = 0;
    std::size_t length = 0;
};

/// The decimal number that a text begins with ("12.5GB", "-3e2"); nothing when it begins with none,
/// or with one that no double holds.
std::optional<LeadingNumber> leading_number(std::string_view text);

/// That number where a text begins with blanks and one, else 0: `atof`, whose point is a comma in
/// half of the world.
double number_or_zero(std::string_view text);

}  // namespace ridgeline
