// One line of a network that is written out: docs/model-listings.md has the language.
#pragma once

#include "base/number.h"
#include "base/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <vector>

namespace ridgeline {

/// "ab" -> a number; words of one or two small letters name maps.
inline bool is_register(std::string_view word) {
    return !word.empty() && word.size() <= 2 && std::all_of(word.begin(), word.end(), is_letter);
}
inline std::size_t register_of(std::string_view word) {
    std::size_t number = 0;
    for (const char letter : word) {
        number = number * 26 + static_cast<std::size_t>(letter - 'a') + 1;
    }
    return number - 1;
}

inline double number_of(std::string_view text, double otherwise) {
    return leading_number(text).value_or(LeadingNumber{otherwise, 0}).value;
}

/// The sample beside that which the rows were written for.
struct Growth {
    double side = 1;
    double frames = 1;
};

/// A side or a count as the option states it: "14~" grows with the side of the picture, of
/// "197~196" that many grow with its area; "25^" grows with the frames of the clip, of "6616^6360"
/// that many with area and frames.
inline double grown(std::string_view text, const Growth& growth) {
    const double stated = number_of(text, 0);
    const std::size_t end = std::min(text.find_first_of("~^"), text.size());
    if (end == text.size() || (growth.side == 1 && growth.frames == 1)) {
        return stated;
    }
    const bool clip = text[end] == '^';
    const double part = number_of(text.substr(end + 1), 0);
    if (part == 0) {
        return std::nearbyint(stated * (clip ? growth.frames : growth.side));
    }
    const double side = std::sqrt(part);
    if (!clip && side == std::nearbyint(side)) {
        const double larger = std::nearbyint(side * growth.side);
        return stated - part + larger * larger;
    }
    return stated - part +
           std::nearbyint(part * growth.side * growth.side * (clip ? growth.frames : 1));
}

/// Sides of an option: "3" is all axes, "3x5" height and width, "1x3x3" depth as well.
struct Sides {
    double depth = 1, height = 1, width = 1;
    int count = 0;
};

inline Sides sides_of(std::string_view text, const Growth& growth = {}) {
    std::array<double, 3> values{};
    int count = 0;
    while (!text.empty() && count < 3) {
        const std::size_t end = std::min(text.find('x'), text.size());
        values[static_cast<std::size_t>(count++)] = grown(text.substr(0, end), growth);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (count == 3) {
        return {values[0], values[1], values[2], count};
    }
    return count == 2 ? Sides{1, values[0], values[1], count}
                      : Sides{1, values[0], values[0], count};
}

/// Words of a line that are read; what follows is no statement that a model has.
inline constexpr std::size_t most_words = 64;
inline constexpr std::size_t usual_words = 6;

/// One operator: the map that it makes, its name, the maps that it reads, numbers, options.
class Statement {
public:
    explicit Statement(std::string_view text) {
        words_.reserve(usual_words);
        while (!text.empty() && words_.size() < most_words) {
            const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
            text.remove_prefix(begin);
            const std::size_t end = std::min(text.find(' '), text.size());
            if (end > 0) {
                words_.push_back(text.substr(0, end));
            }
            text.remove_prefix(end);
        }
    }

    [[nodiscard]] bool empty() const { return words_.empty(); }
    [[nodiscard]] std::string_view target() const { return words_[0]; }
    [[nodiscard]] std::string_view name() const {
        return words_.size() > 1 ? words_[1] : words_[0];
    }
    [[nodiscard]] bool has(std::string_view word) const {
        return words_.size() > 2 &&
               std::find(words_.begin() + 2, words_.end(), word) != words_.end();
    }
    /// The n-th plain number; `growth` as in `grown`.
    [[nodiscard]] double number(int at, double otherwise = 0, const Growth& growth = {}) const {
        for (std::size_t i = 2; i < words_.size(); ++i) {
            const char first = words_[i].front();
            if ((is_digit(first) || first == '.') && at-- == 0) {
                return grown(words_[i], growth);
            }
        }
        return otherwise;
    }
    /// What follows the letter of an option; empty: not stated.
    [[nodiscard]] std::string_view option(char letter) const {
        for (std::size_t i = 2; i < words_.size(); ++i) {
            if (words_[i].size() > 1 && words_[i][0] == letter && is_digit(words_[i][1])) {
                return words_[i].substr(1);
            }
        }
        return {};
    }
    /// The n-th map that is read; empty: none.
    [[nodiscard]] std::string_view operand(int at) const {
        for (std::size_t i = 2; i < words_.size(); ++i) {
            if (is_register(words_[i]) && at-- == 0) {
                return words_[i];
            }
        }
        return {};
    }

private:
    std::vector<std::string_view> words_;
};

}  // namespace ridgeline
