#include "base/text.h"

#include "base/duration_range.h"
#include "base/number.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace ridgeline {
namespace {

/// Longer words are never a typo of an id; the bound keeps the distance table small.
constexpr std::size_t longest_word = 64;

double scale_of(char suffix) {
    switch (suffix) {
        case 'k':
        case 'K':
            return 1e3;
        case 'm':
        case 'M':
            return 1e6;
        case 'b':
        case 'B':
        case 'g':
        case 'G':
            return 1e9;
        case 't':
        case 'T':
            return 1e12;
        case 'p':
        case 'P':
            return 1e15;
        default:
            return 0;
    }
}

/// Decimals that leave about three significant digits.
int decimals_of(double magnitude) {
    if (magnitude >= 99.95) {
        return 0;
    }
    return magnitude >= 9.995 ? 1 : 2;
}

}  // namespace

namespace {

char lower(char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

}  // namespace

std::string lower(std::string_view text) {
    std::string folded(text);
    for (char& letter : folded) {
        letter = lower(letter);
    }
    return folded;
}

bool same_letters(std::string_view a, std::string_view b) {
    // Of names in a catalog most differ in their last letters.
    std::size_t i = a.size();
    if (i != b.size()) {
        return false;
    }
    while (i > 0 && lower(a[i - 1]) == lower(b[i - 1])) {
        --i;
    }
    return i == 0;
}

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> pieces;
    std::size_t start = 0;
    for (std::size_t end = text.find(separator); end != std::string_view::npos;
         end = text.find(separator, start)) {
        pieces.emplace_back(text.substr(start, end - start));
        start = end + 1;
    }
    pieces.emplace_back(text.substr(start));
    return pieces;
}

void append(std::string& list, std::string_view separator, std::string_view piece) {
    if (!list.empty()) {
        list += separator;
    }
    list += piece;
}

std::string joined(std::span<const std::string> pieces, std::string_view separator) {
    std::string list;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        list += i > 0 ? separator : std::string_view();
        list += pieces[i];
    }
    return list;
}

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

std::string_view trimmed(std::string_view text, std::string_view letters) {
    const std::size_t start = std::min(text.find_first_not_of(letters), text.size());
    return text.substr(start, text.find_last_not_of(letters) + 1 - start);
}

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return c >= 'a' && c <= 'z'; }
bool has_digit(std::string_view word) { return std::any_of(word.begin(), word.end(), is_digit); }
bool has_letter(std::string_view word) { return std::any_of(word.begin(), word.end(), is_letter); }
bool all_digits(std::string_view word) {
    return !word.empty() && std::all_of(word.begin(), word.end(), is_digit);
}

std::string without_zeros(std::string digits) {
    if (digits.find('.') == std::string::npos) {
        return digits;
    }
    digits.erase(digits.find_last_not_of('0') + 1);
    if (!digits.empty() && digits.back() == '.') {
        digits.pop_back();
    }
    return digits;
}

std::string counted_noun(double number, std::string_view noun) {
    return fmt::format("{:.0f} {}{}", number, noun, number == 1 ? "" : "s");
}

std::string grouped(double number) {
    if (std::fabs(number) >= 1e15) {
        return fmt::format("{:.3g}", number);
    }
    std::string digits = fmt::format("{:.0f}", number);
    const std::size_t first = digits.front() == '-' ? 1 : 0;
    for (std::size_t i = digits.size(); i > first + 3; i -= 3) {
        digits.insert(i - 3, 1, ',');
    }
    return digits;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
    const std::string left = lower(a);
    const std::string right = lower(b);
    std::vector<std::size_t> before(right.size() + 1);
    std::vector<std::size_t> above(right.size() + 1);
    std::vector<std::size_t> row(right.size() + 1);
    for (std::size_t j = 0; j <= right.size(); ++j) {
        above[j] = j;
    }
    for (std::size_t i = 1; i <= left.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= right.size(); ++j) {
            const std::size_t change = left[i - 1] == right[j - 1] ? 0 : 1;
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + change});
            if (i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1]) {
                row[j] = std::min(row[j], before[j - 2] + 1);
            }
        }
        before.swap(above);
        above.swap(row);
    }
    return above[right.size()];
}

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates) {
    if (word.empty() || word.size() > longest_word) {
        return std::nullopt;
    }
    // A plausible typo changes at most a third of the word.
    const std::size_t limit = std::max<std::size_t>(1, word.size() / 3);
    std::optional<std::string> best;
    std::size_t best_distance = limit + 1;
    for (const std::string& candidate : candidates) {
        const std::size_t difference = candidate.size() > word.size()
                                           ? candidate.size() - word.size()
                                           : word.size() - candidate.size();
        if (difference >= best_distance) {
            continue;
        }
        const std::size_t distance = edit_distance(word, candidate);
        if (distance < best_distance) {
            best_distance = distance;
            best = candidate;
        }
    }
    // The shortest candidate that the word begins. Whole pieces of it say more than wrong letters
    // do
    // ("h100" -> "h100-nvl", not "b100"; "qwen3-235b" -> "qwen3-235b-a22b", not "qwen3-32b").
    const std::string folded = lower(word);
    std::optional<std::string> begun;
    for (const std::string& candidate : candidates) {
        const bool begins = folded.size() >= 3 && lower(candidate).starts_with(folded);
        const bool piece =
            begins && candidate.size() > word.size() && candidate[word.size()] == '-';
        if (begins && (piece || !best) && (!begun || candidate.size() < begun->size())) {
            begun = candidate;
        }
    }
    return begun ? begun : best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
    const std::optional<std::string> found = nearest(word, candidates);
    return found ? fmt::format("Did you mean \"{}\"?", *found) : std::string();
}

std::optional<double> number_with_suffix(std::string_view text) {
    if (text.empty() || text.size() > longest_word) {
        return std::nullopt;
    }
    double scale = scale_of(text.back());
    if (scale > 0) {
        text.remove_suffix(1);
    } else {
        scale = 1;
    }
    const auto number = leading_number(text);
    const bool below_nothing = number && number->value == 0 && std::signbit(number->value);
    if (!number || number->length != text.size() || !std::isfinite(number->value * scale) ||
        below_nothing) {
        return std::nullopt;
    }
    return number->value * scale;
}

std::optional<double> length_with_suffix(std::string_view text) {
    const auto number = number_with_suffix(text);
    if (!number || (text.back() != 'k' && text.back() != 'K')) {
        return number;
    }
    const double thousands = *number / 1000;
    const double exponent = std::log2(thousands);
    return thousands >= 1 && exponent == std::floor(exponent) ? thousands * 1024 : *number;
}

std::string format_gib(double gib) {
    const double magnitude = std::fabs(gib);
    if (magnitude >= 9999.5) {
        return magnitude < 1e9 ? fmt::format("{:.1f} TiB", gib / 1024)
                               : fmt::format("{:.3g} TiB", gib / 1024);
    }
    if (magnitude >= 999.95) {
        return fmt::format("{:.0f} GiB", gib);
    }
    return fmt::format("{:.{}f} GiB", gib, magnitude < 9.995 && magnitude > 0 ? 2 : 1);
}

namespace {

struct DurationUnit {
    double seconds;
    std::string_view name;
};

const DurationUnit& unit_of_duration(double seconds) {
    static constexpr std::array<DurationUnit, 6> units{
        {{1e-6, "us"}, {1e-3, "ms"}, {1, "s"}, {60, "min"}, {3600, "h"}, {86400, "days"}}};
    const double magnitude = std::fabs(seconds);
    // Each unit begins where the smaller one would need too many digits to read.
    static constexpr std::array<double, 6> from{0, 1e-3, 1, 120, 5400, 3 * 86400};
    std::size_t chosen = 0;
    for (std::size_t i = 0; i < units.size(); ++i) {
        if (magnitude >= from[i] * (1 - 5e-4)) {
            chosen = i;
        }
    }
    return units[chosen];
}

std::string three_digits(double value) {
    const int decimals = std::fabs(value) >= 99.95 ? 0 : (std::fabs(value) >= 9.995 ? 1 : 2);
    return without_zeros(fmt::format("{:.{}f}", value, decimals));
}

constexpr double longest_in_days = 100 * 365.25 * 86400;

}  // namespace

std::string format_duration(double seconds) {
    if (std::fabs(seconds) >= longest_in_days) {
        return format_count(seconds / (longest_in_days / 100)) + " years";
    }
    const DurationUnit& unit = unit_of_duration(seconds);
    return fmt::format("{} {}", three_digits(seconds / unit.seconds), unit.name);
}

std::string format_duration_range(double seconds, double low, double high) {
    constexpr double widest = 1000;  // beyond which digits of one unit are lost
    if (high >= longest_in_days || high > widest * low) {
        return fmt::format("{} ({} to {})", format_duration(seconds), format_duration(low),
                           format_duration(high));
    }
    const double unit = unit_of_duration(seconds).seconds;
    return fmt::format("{} ({} to {})", format_duration(seconds), three_digits(low / unit),
                       three_digits(high / unit));
}

std::string format_usd(double usd) {
    const double magnitude = std::fabs(usd);
    const std::string sign = usd < 0 ? "-" : "";
    if (magnitude < 0.01 && magnitude > 0) {
        return fmt::format("{}${:.4f}", sign, magnitude);
    }
    if (magnitude < 99.995) {
        return fmt::format("{}${:.2f}", sign, magnitude);
    }
    return sign + "$" + grouped(magnitude);
}

std::string format_count(double count) {
    struct Step {
        double scale;
        std::string_view name;
    };
    if (std::fabs(count) >= 1e18) {
        return fmt::format("{:.3g}", count);
    }
    static constexpr std::array<Step, 5> steps{
        {{1e15, "P"}, {1e12, "T"}, {1e9, "B"}, {1e6, "M"}, {1e3, "k"}}};
    for (const Step& step : steps) {
        if (std::fabs(count) >= step.scale * (1 - 5e-4)) {
            const double value = count / step.scale;
            // One more digit than decimals_of gives: 70.6B, 8.03B, 405B.
            return without_zeros(fmt::format("{:.{}f}", value, decimals_of(std::fabs(value)))) +
                   std::string(step.name);
        }
    }
    return without_zeros(fmt::format("{:.{}f}", count, decimals_of(std::fabs(count))));
}

}  // namespace ridgeline
