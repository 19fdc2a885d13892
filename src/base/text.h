#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline {

/// Edit distance (insert, delete, replace, swap of neighbours), case folded.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate nearest to `word` when it is near enough to be a plausible typo, else nothing.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates);

/// `Did you mean "x"?` for the nearest candidate, or an empty string.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

/// ASCII lower case.
std::string lower(std::string_view text);

/// Equal but for the case of ASCII letters.
bool same_letters(std::string_view a, std::string_view b);

/// Text split at a separator, empty pieces kept.
std::vector<std::string> split(std::string_view text, char separator);

/// Adds a piece to a list of words, a separator before all but the first.
void append(std::string& list, std::string_view separator, std::string_view piece);

/// The pieces as such a list.
std::string joined(std::span<const std::string> pieces, std::string_view separator);

bool contains(std::string_view text, std::string_view part);

/// "7b" of "org/models/7b": what stands behind the last slash.
std::string_view last_part(std::string_view path);

/// Without what stands at its ends and is one of these letters.
std::string_view trimmed(std::string_view text, std::string_view letters);

/// Of ASCII; letters are small ones.
bool is_digit(char c);
bool is_letter(char c);
bool has_digit(std::string_view word);
bool has_letter(std::string_view word);
/// False of an empty word.
bool all_digits(std::string_view word);

/// Removes the trailing zeros of a decimal fraction: "70.0" -> "70".
std::string without_zeros(std::string digits);

/// "1 node", "3 nodes".
std::string counted_noun(double number, std::string_view noun);

/// "12,345": a whole number with its thousands parted; "1.23e+15" from there on.
std::string grouped(double number);

/// A finite number with an optional suffix k, M, B, G, T, P ("70B", "1.5T", "8k"); nothing when the
/// text is not exactly that, or is not finite.
std::optional<double> number_with_suffix(std::string_view text);

/// As `number_with_suffix`, of a length in tokens: "8k" is 8192 and "128k" 131072, since lengths
/// are powers of two; "10k" is 10000.
std::optional<double> length_with_suffix(std::string_view text);

/// "12.3 GiB" style with a fixed number of decimals that fits three or four digits.
std::string format_gib(double gib);
/// "1.2 s", "35 ms", "4.1 us", "3.4 h", "12 days".
std::string format_duration(double seconds);
/// "$1,234" or "$0.42".
std::string format_usd(double usd);
/// 70.6e9 -> "70.6B".
std::string format_count(double count);

}  // namespace ridgeline
