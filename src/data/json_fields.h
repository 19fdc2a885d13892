#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace ridgeline {

/// The text under `key`; "" where there is none or `json` is no object.
inline std::string text_at(const nlohmann::json& json, const char* key) {
    if (!json.is_object()) {
        return "";
    }
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

/// The number under `key`; nothing where there is none or `json` is no object.
inline std::optional<double> number_at(const nlohmann::json& json, const char* key) {
    if (!json.is_object()) {
        return std::nullopt;
    }
    const auto found = json.find(key);
    return found != json.end() && found->is_number() ? std::optional(found->get<double>())
                                                     : std::nullopt;
}

}  // namespace ridgeline
