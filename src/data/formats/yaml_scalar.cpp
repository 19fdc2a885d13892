#include "data/formats/yaml_scalar.h"

#include "base/number.h"
#include "base/text.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>
#include <optional>

namespace ridgeline {
namespace {
std::optional<double> number_of(std::string_view text) {
    text.remove_prefix(text.front() == '+' ? 1 : 0);
    const auto number = leading_number(text);
    return number && number->length == text.size() && std::isfinite(number->value)
               ? std::optional(number->value)
               : std::nullopt;
}

}  // namespace

nlohmann::json plain_scalar(const std::string& text) {
    static constexpr const char* yes[] = {"true", "True", "TRUE", "yes", "Yes", "on", "On"};
    static constexpr const char* no[] = {"false", "False", "FALSE", "no", "No", "off", "Off"};
    static constexpr const char* nothing[] = {"", "~", "null", "Null", "NULL"};
    for (const char* word : yes) {
        if (text == word) {
            return true;
        }
    }
    for (const char* word : no) {
        if (text == word) {
            return false;
        }
    }
    for (const char* word : nothing) {
        if (text == word) {
            return nullptr;
        }
    }
    const bool digits =
        text.find_first_not_of("0123456789+-._eE") == std::string::npos && has_digit(text);
    if (digits) {
        std::string bare;
        for (const char c : text) {
            if (c != '_') {
                bare += c;
            }
        }
        if (const auto number = number_of(bare)) {
            const bool whole = bare.find_first_of(".eE") == std::string::npos;
            return whole && std::abs(*number) < 9e15
                       ? nlohmann::json(static_cast<std::int64_t>(*number))
                       : nlohmann::json(*number);
        }
    }
    return text;
}

}  // namespace ridgeline
