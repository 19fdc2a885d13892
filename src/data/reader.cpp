#include "data/reader.h"

#include "base/text.h"
#include "data/reader_errors.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace ridgeline {
namespace {

const nlohmann::json& empty_object() {
    static const nlohmann::json value = nlohmann::json::object();
    return value;
}

const nlohmann::json& null_value() {
    static const nlohmann::json value;
    return value;
}

}  // namespace

Reader::Reader(const nlohmann::json* object, std::string path, Errors* errors)
    : object_(object), path_(std::move(path)), errors_(errors) {}

void Reader::fail(std::string_view key, std::string message, std::string hint) {
    errors_->add(key.empty() ? (path_.empty() ? "/" : path_) : fmt::format("{}/{}", path_, key),
                 std::move(message),
                 std::move(hint));
}

void Reader::ignore(std::string_view key) {
    find(key);
}

const nlohmann::json* Reader::find(std::string_view key) {
    const auto at = object_->find(key);
    if (at == object_->end()) {
        missing_.emplace_back(key);
        return nullptr;
    }
    // Strict documents are mostly read in full: one allocation instead of several.
    if (found_.empty()) {
        found_.reserve(object_->size());
    }
    found_.emplace_back(at.key());
    return at->is_null() ? nullptr : &*at;
}

const nlohmann::json* Reader::require(std::string_view key, std::string_view expected) {
    const nlohmann::json* value = find(key);
    if (value == nullptr) {
        fail(key, fmt::format("missing, expected {}", expected));
    }
    return value;
}

bool Reader::has(std::string_view key) {
    return find(key) != nullptr;
}
bool Reader::is_text(std::string_view key) {
    return raw(key).is_string();
}
bool Reader::is_number(std::string_view key) {
    return raw(key).is_number();
}
bool Reader::is_object(std::string_view key) {
    return raw(key).is_object();
}
bool Reader::is_array(std::string_view key) {
    return raw(key).is_array();
}
bool Reader::is_bool(std::string_view key) {
    return raw(key).is_boolean();
}

const nlohmann::json& Reader::raw(std::string_view key) {
    const nlohmann::json* value = find(key);
    return value == nullptr ? null_value() : *value;
}

std::vector<std::string> Reader::keys() const {
    std::vector<std::string> names;
    for (const auto& item : object_->items()) {
        names.push_back(item.key());
    }
    return names;
}

std::optional<double> Reader::number_in(
    const nlohmann::json& value, std::string_view key, int index, Range range, bool whole) {
    const auto refuse = [&](std::string message, std::string hint = {}) {
        fail(index < 0 ? std::string(key) : fmt::format("{}/{}", key, index),
             std::move(message),
             std::move(hint));
        return std::nullopt;
    };
    if (!value.is_number()) {
        return refuse(
            fmt::format("found {}, expected {}", found_in(value), number_wanted(key, whole)),
            value.is_string() ? converted(value.get_ref<const std::string&>(), key)
                              : std::string());
    }
    const double number = value.get<double>();
    if (!std::isfinite(number) || number < range.least || number > range.most) {
        const bool above_zero = range.least > 0 && range.least < 1e-6;
        return refuse(above_zero ? fmt::format("found {}, expected a number above 0 and at most {}",
                                               number,
                                               range.most)
                                 : fmt::format("found {}, expected a number from {} to {}",
                                               number,
                                               range.least,
                                               range.most));
    }
    if (whole && number != std::floor(number)) {
        return refuse(fmt::format("found {}, expected a whole number", number));
    }
    return number;
}

std::optional<double> Reader::optional_number(std::string_view key, Range range) {
    const nlohmann::json* value = find(key);
    return value == nullptr ? std::nullopt : number_in(*value, key, -1, range, false);
}

std::optional<int> Reader::optional_integer(std::string_view key, Range range) {
    const nlohmann::json* value = find(key);
    if (value == nullptr) {
        return std::nullopt;
    }
    range.least = std::max(range.least, -2147483648.0);
    range.most = std::min(range.most, 2147483647.0);
    const std::optional<double> number = number_in(*value, key, -1, range, true);
    return number ? std::optional<int>(static_cast<int>(*number)) : std::nullopt;
}

const std::string* Reader::text_at(std::string_view key) {
    const nlohmann::json* value = find(key);
    if (value == nullptr) {
        return nullptr;
    }
    if (!value->is_string()) {
        fail(key, fmt::format("found {}, expected text", found_in(*value)));
        return nullptr;
    }
    return &value->get_ref<const std::string&>();
}

std::optional<std::string> Reader::optional_text(std::string_view key) {
    const std::string* text = text_at(key);
    return text == nullptr ? std::nullopt : std::optional(*text);
}

std::optional<bool> Reader::optional_boolean(std::string_view key) {
    const nlohmann::json* value = find(key);
    if (value == nullptr) {
        return std::nullopt;
    }
    if (!value->is_boolean()) {
        fail(key, fmt::format("found {}, expected true or false", found_in(*value)));
        return std::nullopt;
    }
    return value->get<bool>();
}

std::optional<Reader> Reader::optional_object(std::string_view key) {
    const nlohmann::json* value = find(key);
    if (value == nullptr) {
        return std::nullopt;
    }
    if (!value->is_object()) {
        fail(key, fmt::format("found {}, expected an object", found_in(*value)));
        return std::nullopt;
    }
    return Reader(value, fmt::format("{}/{}", path_, key), errors_);
}

double Reader::number(std::string_view key, Range range) {
    const nlohmann::json* value = require(key, "a number");
    return value == nullptr ? 0 : number_in(*value, key, -1, range, false).value_or(0);
}

int Reader::integer(std::string_view key, Range range) {
    return require(key, "a whole number") == nullptr ? 0 : optional_integer(key, range).value_or(0);
}

std::string Reader::text(std::string_view key) {
    const std::string* value = require(key, "text") == nullptr ? nullptr : text_at(key);
    return value == nullptr ? std::string() : *value;
}

bool Reader::boolean(std::string_view key) {
    return require(key, "true or false") != nullptr && optional_boolean(key).value_or(false);
}

Reader Reader::object(std::string_view key) {
    if (require(key, "an object") != nullptr) {
        if (std::optional<Reader> inner = optional_object(key)) {
            return std::move(*inner);
        }
    }
    // Its own errors would repeat the one above, so they go to a list that nobody prints.
    return Reader(&empty_object(), fmt::format("{}/{}", path_, key), errors_->silent());
}

double Reader::number_or(std::string_view key, double missing, Range range) {
    return optional_number(key, range).value_or(missing);
}
int Reader::integer_or(std::string_view key, int missing, Range range) {
    return optional_integer(key, range).value_or(missing);
}
std::string Reader::text_or(std::string_view key, std::string_view missing) {
    return optional_text(key).value_or(std::string(missing));
}
bool Reader::boolean_or(std::string_view key, bool missing) {
    return optional_boolean(key).value_or(missing);
}

std::vector<Reader> Reader::objects(std::string_view key) {
    std::vector<Reader> elements;
    const nlohmann::json* value = find(key);
    if (value == nullptr) {
        return elements;
    }
    if (!value->is_array()) {
        fail(key, fmt::format("found {}, expected a list of objects", found_in(*value)));
        return elements;
    }
    for (std::size_t i = 0; i < value->size(); ++i) {
        const std::string path = fmt::format("{}/{}/{}", path_, key, i);
        if ((*value)[i].is_object()) {
            elements.emplace_back(&(*value)[i], path, errors_);
        } else {
            errors_->add(path, fmt::format("found {}, expected an object", found_in((*value)[i])));
        }
    }
    return elements;
}

std::vector<std::string> Reader::texts(std::string_view key) {
    std::vector<std::string> elements;
    const nlohmann::json* value = find(key);
    if (value == nullptr) {
        return elements;
    }
    if (!value->is_array()) {
        fail(key, fmt::format("found {}, expected a list of texts", found_in(*value)));
        return elements;
    }
    for (std::size_t i = 0; i < value->size(); ++i) {
        if ((*value)[i].is_string()) {
            elements.push_back((*value)[i].get<std::string>());
        } else {
            errors_->add(fmt::format("{}/{}/{}", path_, key, i),
                         fmt::format("found {}, expected text", found_in((*value)[i])));
        }
    }
    return elements;
}

std::vector<double> Reader::numbers(std::string_view key, Range range) {
    std::vector<double> elements;
    const nlohmann::json* value = find(key);
    if (value == nullptr) {
        return elements;
    }
    if (!value->is_array()) {
        fail(key, fmt::format("found {}, expected a list of numbers", found_in(*value)));
        return elements;
    }
    for (std::size_t i = 0; i < value->size(); ++i) {
        if (const auto number = number_in((*value)[i], key, static_cast<int>(i), range, false)) {
            elements.push_back(*number);
        }
    }
    return elements;
}

std::optional<std::size_t> Reader::choice_index(std::string_view key,
                                                const std::vector<std::string>& names) {
    const std::string* word = text_at(key);
    if (word == nullptr) {
        return std::nullopt;
    }
    auto at = std::find(names.begin(), names.end(), *word);
    if (at == names.end()) {  // "LoRA"
        at = std::find_if(names.begin(), names.end(), [&](const std::string& name) {
            return lower(name) == lower(*word);
        });
    }
    if (at != names.end()) {
        return static_cast<std::size_t>(at - names.begin());
    }
    fail_choice(key, *word, names);
    return std::nullopt;
}

void Reader::fail_choice(std::string_view key,
                         const std::string& word,
                         const std::vector<std::string>& names) {
    std::string list;
    for (const std::string& name : names) {
        list += (list.empty() ? "" : ", ") + name;
    }
    fail(key,
         fmt::format("found \"{}\", expected one of: {}", printable(word), list),
         did_you_mean(word, names));
}

void Reader::reject_unknown() {
    for (const auto& item : object_->items()) {
        const std::string& name = item.key();
        if (std::find(found_.begin(), found_.end(), name) != found_.end()) {
            continue;
        }
        // What was asked for and is absent comes first: the unknown key is likely a slip of it.
        std::vector<std::string> known(missing_);
        std::sort(known.begin(), known.end());
        known.insert(known.end(), found_.begin(), found_.end());
        const std::string key = printable(name);
        fail(key, fmt::format("unknown key \"{}\"", key), did_you_mean(name, known));
    }
}

}  // namespace ridgeline
